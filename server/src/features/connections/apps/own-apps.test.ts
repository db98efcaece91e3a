import { connectors } from '@carillon/connectors'
import { platforms, type DeveloperApp } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { findAppOf } from '../connect/find-app.ts'
import { developerAppRoutes } from './developer-app.routes.ts'
import { findOwnApp } from './find-own-app.ts'
import { deleteUnusedApps } from './platform-app.store.ts'

/**
 * Guarantee: an app that a workspace brought is used for its own accounts and for nobody else's, and no request shows its secret.
 */

let database: TestDatabase
let server: TestServer
let mine: { workspaceId: string; apiKey: string }
let other: { workspaceId: string; apiKey: string }

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, env: { CARILLON_APP_X: 'installation:its-secret' }, api: [developerAppRoutes] })
  const make = async (name: string) => {
    const { workspaceId, apiKey } = await setUpWorkspace(server.ctx, { email: `${name}@example.com`, workspace: name })
    return { workspaceId, apiKey }
  }
  mine = await make('mine')
  other = await make('other')
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

const request = async (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { by = mine, body }: { by?: typeof mine; body?: object } = {},
) => {
  const response = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${by.apiKey}`, 'x-workspace-id': by.workspaceId },
    ...(body && { payload: body }),
  })
  type Body = { data: DeveloperApp | DeveloperApp[]; error: { details: unknown } }
  return { status: response.statusCode, text: response.body, body: response.json<Body>() }
}
const save = (clientId: string, clientSecret = `secret of ${clientId}`.replaceAll(' ', '-'), by = mine) =>
  request('POST', '/developer-apps', { by, body: { platform: 'x', clientId, clientSecret } })
const ownOf = ({ workspaceId }: typeof mine, clientId: string | null = null) =>
  findOwnApp(server.ctx, { workspaceId, platform: 'x', clientId })
const connectedWith = (by: typeof mine, clientId: string, isOwn: boolean) =>
  findAppOf(server.ctx, connectors.x, { workspace_id: by.workspaceId, instance_url: null, client_id: clientId, own_app: isOwn })

async function addAccount(id: string, clientId: string): Promise<void> {
  await server.ctx.db.system
    .insertInto('connection')
    .values({
      workspace_id: mine.workspaceId,
      id,
      platform: 'x',
      slug: `x-${id}`,
      handle: id,
      display_name: id,
      account_id: id,
      status: 'active',
      credentials_sealed: Buffer.from('sealed'),
      token_renewed_at: new Date(),
      connected_at: new Date(),
      updated_at: new Date(),
      client_id: clientId,
      own_app: true,
    })
    .execute()
}

test('a workspace brings an app, and only that workspace finds it', async () => {
  expect((await request('GET', '/developer-apps')).body.data).toMatchObject([{ platform: 'x', clientId: null, accounts: 0 }])
  const saved = await save(' bells ', ' top-secret\n')
  expect(saved.body.data).toMatchObject({ platform: 'x', clientId: 'bells', accounts: 0 })
  expect(await ownOf(mine)).toEqual({ clientId: 'bells', clientSecret: 'top-secret', isVetted: false, isOwn: true })
  expect(await ownOf(other)).toBeNull()
  const listed = await request('GET', '/developer-apps')
  expect(listed.body.data).toMatchObject([{ platform: 'x', clientId: 'bells' }])
  expect(saved.text + listed.text).not.toContain('top-secret')
  expect((await request('GET', '/developer-apps', { by: other })).body.data).toMatchObject([{ clientId: null }])
  await request('DELETE', '/developer-apps/x', { by: other })
  expect(await ownOf(mine)).not.toBeNull()
})

test('two workspaces may have the same app, each with its own secret', async () => {
  await save('shared', 'mine')
  await save('shared', 'theirs', other)
  expect((await ownOf(mine))?.clientSecret).toBe('mine')
  expect((await ownOf(other))?.clientSecret).toBe('theirs')
})

test('an account is renewed with the app that it was connected with, also after that was replaced', async () => {
  await save('first')
  await addAccount('a1', 'first')
  await save('second')
  expect((await ownOf(mine))?.clientId).toBe('second')
  expect((await connectedWith(mine, 'first', true))?.clientSecret).toBe('secret-of-first')
  expect((await request('GET', '/developer-apps')).body.data).toMatchObject([{ clientId: 'second', accounts: 1 }])
  // Nobody needs this one any more when the next one comes.
  await save('third')
  expect(await ownOf(mine, 'second')).toBeNull()
  expect(await ownOf(mine, 'first')).not.toBeNull()
})

test('an account of the installation’s app never takes that of the workspace, and the other way round', async () => {
  await save('third')
  expect((await connectedWith(mine, 'installation', false))?.clientSecret).toBe('its-secret')
  expect(await connectedWith(mine, 'third', false)).toBeNull()
  expect(await connectedWith(mine, 'installation', true)).toBeNull()
  expect(await connectedWith(other, 'third', true)).toBeNull()
})

test('an app of the installation that only accounts with their own app seem to use is removed when it is replaced', async () => {
  const { system } = server.ctx.db
  await system
    .insertInto('platform_app')
    .values({
      platform: 'x',
      client_id: 'first',
      client_secret_sealed: Buffer.from(''),
      is_vetted: false,
      entered_at: new Date(),
      replaced_at: new Date(),
    })
    .execute()
  await system.transaction().execute((tx) => deleteUnusedApps(tx, 'x'))
  expect(await system.selectFrom('platform_app').selectAll().execute()).toEqual([])
})

describe('refused', () => {
  test('the app of the installation, an empty field, spaces inside, and other platforms', async () => {
    expect((await save('installation', 'a-guess')).body.error.details).toMatchObject([{ path: 'clientId' }])
    expect((await save(' ', 'x')).status).toBe(422)
    expect((await save('a b', 'x')).status).toBe(422)
    const body = { platform: 'bluesky', clientId: 'a', clientSecret: 'b' }
    expect((await request('POST', '/developer-apps', { body })).status).toBe(422)
    expect((await request('DELETE', '/developer-apps/nowhere')).status).toBe(404)
  })

  test('platforms that sign notices with the secret of the app', () => {
    const both = platforms.filter((platform) => {
      const { auth, readNotice } = connectors[platform]
      return auth.kind === 'oauth2' && auth.allowsOwnApp === true && readNotice !== undefined
    })
    expect(both).toEqual([])
  })
})

test('removing the app removes every secret of it', async () => {
  await save('fourth')
  expect((await request('DELETE', '/developer-apps/x')).status).toBe(200)
  expect(await ownOf(mine)).toBeNull()
  expect(await ownOf(mine, 'first')).toBeNull()
})
