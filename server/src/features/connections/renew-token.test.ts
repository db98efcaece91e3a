import { connectors, PlatformError, type Connector, type Credentials, type PlatformErrorKind } from '@carillon/connectors'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { addConnections } from './add-connections.ts'
import { linkAccount } from './connect/link-account.ts'
import { findAnyConnection, markDisconnected } from './connection.store.ts'
import type { ConnectionKey } from './jobs.ts'
import { renewToken, type JournaledStep } from './renew-token.ts'
import { openCredentials } from './seal-credentials.ts'

const secondMs = 1000
let database: TestDatabase
let server: TestServer
let ctx: Context
let key: ConnectionKey
let nowMs: number
/** The refresh tokens with which the platform was called. */
let calls: string[]
let renew: (refreshToken: string) => Promise<Credentials>

beforeAll(async () => {
  database = await startDatabase()
  const x: Connector = {
    ...connectors.x,
    auth: {
      ...connectors.x.auth,
      renew({ credentials }) {
        calls.push(credentials.refreshToken ?? '')
        return renew(credentials.refreshToken ?? '')
      },
    },
  }
  server = openServer({ database, replace: { connectors: { ...connectors, x }, nowMs: () => nowMs } })
  ctx = server.ctx
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  calls = []
  nowMs = Date.now()
  renew = () => Promise.resolve(issued('second'))
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const [connection] = await addConnections(ctx, workspaceId, [
    { platform: 'x', handle: 'tower', accountId: '1', credentials: issued('first') },
  ])
  key = { workspaceId, id: connection?.id ?? '' }
  nowMs += 60 * secondMs
})

const issued = (name: string): Credentials => ({ accessToken: `${name} access`, refreshToken: `${name} refresh` })

function failure(kind: PlatformErrorKind, retryAfterMs?: number): Promise<never> {
  return Promise.reject(new PlatformError({ kind, platformCode: null, message: `answered: ${kind}`, retryAfterMs }))
}

/** Like the engine: repeats a step that throws, and stores only JSON. `journal` holds what it stored. */
function createJournal() {
  const journal: string[] = []
  const step: JournaledStep = async (_name, work) => {
    for (let n = 0; ; n++) {
      try {
        const text = JSON.stringify(await work())
        journal.push(text)
        return JSON.parse(text)
      } catch (error) {
        if (n === 100) throw error
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  return { journal, step }
}

const renewNow = (step = createJournal().step) => renewToken(ctx, key, { seenAtMs: nowMs, step })

async function stored() {
  const row = await findAnyConnection(ctx.db.system, key)
  if (!row) return null
  return { status: row.status, accessToken: openCredentials(ctx, key, row.credentials_sealed).accessToken }
}

async function reconnect(name: string): Promise<void> {
  nowMs += secondMs
  const account = { id: '1', handle: 'tower', displayName: 'Tower', avatarUrl: null }
  await ctx.db.tenant(key.workspaceId, (tx) =>
    linkAccount(
      ctx,
      tx,
      { workspaceId: key.workspaceId, connectionId: key.id, hooks: { afterReconnect: () => Promise.resolve() } },
      { connector: ctx.connectors.x, account, accountIds: ['1'], targets: null, instanceUrl: null, credentials: issued(name) },
    ),
  )
}

/** Guarantee: a token endpoint that is briefly down disconnects no account. */
test('two 503 answers mark nothing, and the third attempt renews the token', async () => {
  renew = () => failure('unavailable')
  expect(await renewNow()).toEqual({ outcome: 'unavailable', retryAfterMs: 5 * secondMs })
  nowMs += 5 * secondMs
  expect(await renewNow()).toEqual({ outcome: 'unavailable', retryAfterMs: 15 * secondMs })
  expect(await stored()).toEqual({ status: 'active', accessToken: 'first access' })
  nowMs += 15 * secondMs
  renew = () => Promise.resolve(issued('second'))
  expect(await renewNow()).toEqual({ outcome: 'renewed' })
  expect(await stored()).toEqual({ status: 'active', accessToken: 'second access' })
  expect(calls).toEqual(['first refresh', 'first refresh', 'first refresh'])
})

/** Guarantee: many posts that need the same token do not call a platform that asked us to wait. */
test('the platform is not called again before its Retry-After has passed', async () => {
  renew = () => failure('limited', 90 * secondMs)
  expect(await renewNow()).toEqual({ outcome: 'unavailable', retryAfterMs: 90 * secondMs })
  nowMs += 30 * secondMs
  expect(await renewNow()).toEqual({ outcome: 'unavailable', retryAfterMs: 60 * secondMs })
  expect(calls).toHaveLength(1)
})

test('a run that finds a token newer than the one it saw uses it', async () => {
  const seenAtMs = nowMs
  expect(await renewNow()).toEqual({ outcome: 'renewed' })
  nowMs += secondMs
  await renewNow()
  expect(await renewToken(ctx, key, { seenAtMs, step: createJournal().step })).toEqual({ outcome: 'renewed' })
  expect(calls).toHaveLength(2)
})

/** Guarantee: a new refresh token, which replaces one that works only once, is not lost while the database is away. */
test('a token that was issued while the database went away is stored when it is back', async () => {
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  url.pathname = '/template1'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  try {
    renew = async () => {
      await admin.query(`alter database "${name}" allow_connections false`)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      setTimeout(() => void admin.query(`alter database "${name}" allow_connections true`), 300)
      return issued('second')
    }
    const { journal, step } = createJournal()
    expect(await renewNow(step)).toEqual({ outcome: 'renewed' })
    expect(calls).toEqual(['first refresh'])
    expect(await stored()).toEqual({ status: 'active', accessToken: 'second access' })
    // The journal is not encrypted.
    expect(journal.join()).not.toContain('second access')
    expect(journal.join()).not.toContain('second refresh')
  } finally {
    await admin.end()
  }
})

/** Guarantee: a renewal never overwrites or disables the sign-in of a person who reconnected meanwhile. */
test.each(['issued', 'auth', 'unavailable'] as const)(
  'an account that is reconnected before the answer (%s) keeps its new token',
  async (kind) => {
    const seenAtMs = nowMs
    renew = async () => {
      await reconnect('third')
      return kind === 'issued' ? issued('second') : failure(kind)
    }
    expect(await renewToken(ctx, key, { seenAtMs, step: createJournal().step })).toEqual({ outcome: 'renewed' })
    expect(await stored()).toEqual({ status: 'active', accessToken: 'third access' })
  },
)

test.each(['auth', 'gone', 'rejected'] as const)('a refusal (%s) asks the owner to reconnect', async (kind) => {
  renew = () => failure(kind)
  expect(await renewNow()).toEqual({ outcome: 'refused' })
  expect(await stored()).toEqual({ status: 'needs_reconnect', accessToken: 'first access' })
  expect(await renewNow()).toEqual({ outcome: 'refused' })
  expect(calls).toHaveLength(1)
})

test('a renewal for a channel in flight leaves a disconnected account disconnected', async () => {
  await ctx.db.tenant(key.workspaceId, (tx) => markDisconnected(tx, key, new Date(nowMs)))
  expect(await renewNow()).toEqual({ outcome: 'renewed' })
  expect(await stored()).toEqual({ status: 'disconnected', accessToken: 'second access' })
})

/** Guarantee: a lost answer alone disconnects no account, although the refresh token may be spent. */
test('a lost answer is followed by one more request with the same token, and only a refusal means reconnecting', async () => {
  const answers = [() => failure('unknown'), () => Promise.resolve(issued('second'))]
  renew = () => answers.shift()?.() ?? failure('unknown')
  expect(await renewNow()).toEqual({ outcome: 'renewed' })
  expect(calls).toEqual(['first refresh', 'first refresh'])

  nowMs += secondMs
  expect(await renewNow()).toMatchObject({ outcome: 'unavailable' })
  expect(await stored()).toEqual({ status: 'active', accessToken: 'second access' })

  nowMs += 60 * secondMs
  const last: PlatformErrorKind[] = ['unknown', 'auth']
  renew = () => failure(last.shift() ?? 'unknown')
  expect(await renewNow()).toEqual({ outcome: 'refused' })
  expect(await stored()).toMatchObject({ status: 'needs_reconnect' })
})

/** Guarantee: a token endpoint that is slow holds no run, is asked once, and its answer is not lost. */
test('a run ends before a slow answer; until it arrives nobody else asks, and then it is stored', async () => {
  const answer = Promise.withResolvers<Credentials>()
  renew = () => answer.promise
  expect(await renewNow()).toEqual({ outcome: 'pending' })
  nowMs += 30 * secondMs
  expect(await renewNow()).toEqual({ outcome: 'pending' })
  expect(calls).toEqual(['first refresh'])
  answer.resolve(issued('second'))
  await expect.poll(stored, { timeout: 10_000 }).toEqual({ status: 'active', accessToken: 'second access' })
  expect(calls).toEqual(['first refresh'])
})

test('when the process dies that asked, another one asks after a minute', async () => {
  renew = () => new Promise(() => {})
  expect(await renewNow()).toEqual({ outcome: 'pending' })
  renew = () => Promise.resolve(issued('second'))
  nowMs += 61 * secondMs
  expect(await renewNow()).toEqual({ outcome: 'renewed' })
  expect(calls).toHaveLength(2)
})
