import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { upStack, type Stack } from '@carillon/stack'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The service behind a real PgBouncer in transaction mode, whose connections to PostgreSQL are far fewer than those of the service. */
const serverConnections = 3
const dir = join(tmpdir(), `carillon-pooler-${process.pid}`)
let stack: Stack
let owner: pg.Pool

beforeAll(async () => {
  stack = await upStack({ dir, fsync: false, roles: ['api', 'worker'], poolerConnections: serverConnections })
  owner = new pg.Pool({ connectionString: stack.info.databaseUrl, max: 2 })
})

afterAll(async () => {
  await owner?.end()
  await stack?.stop()
  await rm(dir, { recursive: true, force: true })
})

type Answer = { status: number; data: Record<string, unknown> & { data?: { text: string }[]; meta?: { total: number } } }

async function call(method: string, path: string, body?: unknown, isOther = false): Promise<Answer> {
  const { baseUrl, apiKey, otherApiKey, workspaceId, otherWorkspaceId } = stack.info
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${isOther ? otherApiKey : apiKey}`,
      'x-workspace-id': isOther ? otherWorkspaceId : workspaceId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data?: Answer['data'] }
  return { status: response.status, data: answer.data ?? {} }
}

async function waitForStatus(requestId: unknown, wanted: string): Promise<unknown> {
  let status: unknown
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(200)) {
    status = (await call('GET', `/content/status?requestId=${String(requestId)}`)).data['status']
    if (status === wanted) break
  }
  return status
}

test('posts are published through the pooler', async () => {
  const connections = stack.info.connections.slice(0, 2)
  const scheduledAt = new Date(Date.now() + 5_000).toISOString()
  const made = await Promise.all([
    call('POST', '/content/text', { text: 'Now, pooled', connections, async: true }),
    call('POST', '/content/text', { text: 'Soon, pooled', connections, async: true, scheduledAt }),
  ])
  expect(made.map(({ status }) => status)).toEqual([202, 202])
  for (const { data } of made) expect(await waitForStatus(data['requestId'], 'completed')).toBe('completed')
})

test('guarantee: with three connections for all requests, no workspace sees another one, and each gets its own posts', async () => {
  const texts = { own: 'of the first workspace', other: 'of the second workspace' }
  const draft = (text: string) => ({ text, connections: [], saveDraft: true })
  await Promise.all([call('POST', '/content/text', draft(texts.own)), call('POST', '/content/text', draft(texts.other), true)])
  const rounds = Array.from({ length: 300 }, (_, n) => n)
  const answers = await Promise.all(
    rounds.map(async (n) => {
      const isOther = n % 2 === 1
      // Some requests fail in the middle of their transaction.
      if (n % 7 === 0) await call('PATCH', '/content/0123456789abcdef01234567', { text: 'none' }, isOther)
      const { data } = await call('GET', '/content?status=draft&limit=50', undefined, isOther)
      return { expected: isOther ? texts.other : texts.own, found: data.data?.map(({ text }) => text) ?? [] }
    }),
  )
  for (const { expected, found } of answers) expect(found).toEqual([expected])
})

type Session = { application: string; login: string; count: number }

async function sessions(): Promise<Session[]> {
  const { rows } = await owner.query<Session>(`
    select application_name as application, usename as login, count(*)::int as count
    from pg_stat_activity where usename like 'carillon%' group by 1, 2`)
  return rows
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(200)) if (await isDone()) return
  throw new Error('waited for a minute')
}

test('requests and jobs share the connections of the pooler; notifications and locks of a session go to PostgreSQL itself', async () => {
  const rows = await sessions()
  const listening = rows.filter(({ application }) => application.startsWith('listen '))
  const pooled = rows.filter(({ application }) => !application.startsWith('listen '))
  expect(listening.length).toBeGreaterThan(0)
  for (const group of ['carillon_app', 'carillon_system']) {
    const count = pooled.filter(({ login }) => login.startsWith(group)).reduce((sum, each) => sum + each.count, 0)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(serverConnections)
  }
  const { rows: locks } = await owner.query(`
    select a.usename from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and a.usename like 'carillon%' and a.state = 'idle'`)
  expect(locks).toEqual([])
})

test('without the pooler only the sessions for notifications are left; when it is back, posts are published again', async () => {
  await stack.pooler?.kill()
  await waitFor(async () => (await sessions()).every(({ application }) => application.startsWith('listen ')))
  expect((await sessions()).length).toBeGreaterThan(0)
  await stack.pooler?.restart()
  const connections = stack.info.connections.slice(0, 1)
  const create = () => call('POST', '/content/text', { text: `Again, pooled ${Date.now()}`, connections, async: true })
  let made = await create()
  await waitFor(async () => made.status === 202 || (made = await create()).status === 202)
  expect(await waitForStatus(made.data['requestId'], 'completed')).toBe('completed')
})

test('the limits and the time zone of the service hold behind the pooler', async () => {
  const { rows } = await owner.query<{ login: string; settings: string[] }>(`
    select r.rolname as login, s.setconfig as settings
    from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where r.rolname like 'carillon%' order by 1`)
  expect(rows).toHaveLength(2)
  for (const { settings } of rows)
    expect(settings).toEqual(expect.arrayContaining(['TimeZone=UTC', 'jit=off', 'idle_in_transaction_session_timeout=60000']))
  expect(rows[0]?.settings).toContain('statement_timeout=30000')
  expect(rows[1]?.settings).toEqual(expect.arrayContaining(['statement_timeout=15000', 'enable_seqscan=off']))
})
