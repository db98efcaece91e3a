import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretKeys } from '../../../test/logins.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { addConnections } from './add-connections.ts'
import { openCredentials } from './seal-credentials.ts'

/** Guarantee T16: stored platform tokens cannot be read in the database, nor used from another row. */

let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

async function connect(handle: string, accessToken: string) {
  const { ctx } = server
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const account = { platform: 'mastodon' as const, handle, accountId: handle, instanceUrl: 'https://social.example' }
  const [made] = await addConnections(ctx, workspaceId, [{ ...account, credentials: { accessToken } }])
  return { workspaceId, id: made?.id ?? '' }
}
type Row = Awaited<ReturnType<typeof connect>>

const readSealed = async ({ workspaceId, id }: Row) => {
  const rows = server.ctx.db.system.selectFrom('connection').where('workspace_id', '=', workspaceId).where('id', '=', id)
  return (await rows.select('credentials_sealed').executeTakeFirstOrThrow()).credentials_sealed
}

test('guarantee: two connections whose stored tokens were exchanged cannot use them', async () => {
  const [one, two] = [await connect('one', 'token-of-one'), await connect('two', 'token-of-two')]
  const [sealedOne, sealedTwo] = [await readSealed(one), await readSealed(two)]
  expect(openCredentials(server.ctx, one, sealedOne)).toEqual({ accessToken: 'token-of-one' })
  const write = ({ id }: Row, sealed: Buffer) =>
    server.ctx.db.system.updateTable('connection').where('id', '=', id).set({ credentials_sealed: sealed }).execute()
  await write(one, sealedTwo)
  await write(two, sealedOne)
  for (const row of [one, two]) {
    const sealed = await readSealed(row)
    expect(() => openCredentials(server.ctx, row, sealed)).toThrow('unable to authenticate data')
  }
})

test('guarantee: a new key is added in front while the old rows stay readable, without any downtime', async () => {
  const before = await connect('before', 'sealed-with-k1')
  const rotated = openServer({
    database,
    env: { CARILLON_SECRET_KEYS: `k2:${Buffer.alloc(32, 8).toString('base64')},${secretKeys}` },
  })
  expect(openCredentials(rotated.ctx, before, await readSealed(before))).toEqual({ accessToken: 'sealed-with-k1' })
  await rotated.close()
})
