import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { loadFor, serveLoad } from './script-load.ts'

/**
 * The least that a program can do to accept a post: the statements of the API's own transaction with prepared values, and the same
 * debounced notification. No HTTP, no validation, no encryption, no answer. Every run compares these statements with those of the API,
 * using pg_stat_statements.
 */
const { values } = parseArgs({
  options: {
    control: { type: 'string' },
    database: { type: 'string' },
    workspace: { type: 'string', default: '' },
    slugs: { type: 'string', default: '' },
    connections: { type: 'string', default: '16' },
  },
})
const workspaceId = values.workspace
const slugs = values.slugs.split(',')
const connections = Number(values.connections)
const asRole = (role: string, settings: { max: number; pipeline?: boolean }) =>
  new pg.Pool({ connectionString: values.database, options: `-c role=${role}`, ...settings })
// As in the API, a statement is sent without waiting for the answer to the one before.
const app = asRole('carillon_app', { max: connections, pipeline: true })
const system = asRole('carillon_system', { max: 1 })
const randomPart = randomBytes(5).toString('hex')
let counter = 0

function newId(nowMs: number): string {
  counter++
  return `${Math.floor(nowMs / 1000).toString(16)}${randomPart}${counter.toString(16).padStart(6, '0')}`
}

/** A UUID v7: ordered by time, so that the indexes grow at their end as the API's do. */
function newUuid(nowMs: number): string {
  const hex = `${nowMs.toString(16).padStart(12, '0')}7${randomBytes(10).toString('hex')}`
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

type Connection = { id: string; slug: string; platform: string; display_name: string }

const route = 'POST /api/content/text'
/** In place of the id of the person and the key, with about as many bytes. */
const caller = randomBytes(30).toString('hex')
/** In place of the encrypted answer, with about as many bytes. */
const sealedAnswer = randomBytes(400)

/**
 * `together`: everything that needs no earlier answer is sent at once, so that a transaction takes two round trips. `in steps`: waits
 * after every statement but the opening one.
 */
type Waits = 'together' | 'in steps'

async function create(client: pg.PoolClient, isNow: boolean, waits: Waits): Promise<void> {
  const send = createSender(client, waits)
  const nowMs = Date.now()
  const now = new Date(nowMs)
  const due = isNow ? now : new Date(nowMs + 365 * 86_400_000)
  const id = newId(nowMs)
  const key = randomUUID()
  const requestHash = createHash('sha256').update(key).digest()
  const opened = client.query(
    `begin read write; select set_config('carillon.workspace', ${client.escapeLiteral(workspaceId)}, true)`,
  )
  const [, lock, before, accounts] = await Promise.all([
    opened,
    send<{ free: boolean }>(lockSql, [`${workspaceId} ${caller} ${route} ${key}`]),
    send(findAnswerSql, [workspaceId, caller, route, key]),
    send<Connection>(accountsSql, [workspaceId, slugs]),
    send(usageSql, [workspaceId, now.toISOString().slice(0, 7), randomInt(8)]),
  ])
  if (!lock.rows[0]?.free || before.rows.length > 0) throw new Error('the idempotency key was used before')
  const traceparent = `00-${newUuid(nowMs).replaceAll('-', '')}-00f067aa0ba902b7-00`
  const channels = slugs.map((slug, position) => {
    const { id: connectionId = '', display_name: name = '', platform = '' } = accounts.rows.find((row) => row.slug === slug) ?? {}
    const isStaged = platform === 'threads'
    const about = [workspaceId, newId(nowMs), id, position, connectionId, slug, name, platform]
    return [...about, 'scheduled', due, due, isStaged, '[]', 1, 0, 0, null, traceparent]
  })
  const status = isNow ? 'queued' : 'scheduled'
  const written = [
    'text',
    null,
    null,
    'A post.',
    null,
    null,
    null,
    false,
    '{}',
    null,
    isNow ? null : due,
    null,
    null,
    '[]',
    now,
    now,
  ]
  const platforms = channels
    .map((channel) => channel[7])
    .toSorted()
    .join(',')
  const postValues = [...written, workspaceId, id, newUuid(nowMs), status, null, true, platforms, null, '{}']
  await Promise.all([
    send(insertSql, [...postValues, ...channels.flat()]),
    ...(isNow ? [] : [send(eventSql, [[workspaceId], ['upload.scheduled'], [id], [null], [null], [null], [null], [now]])]),
    send(auditSql, [workspaceId, newUuid(nowMs), now, null, null, 'post.create', id, newUuid(nowMs)]),
    send(insertAnswerSql, [workspaceId, caller, route, key, requestHash, 202, sealedAnswer]),
    send('commit', []),
  ])
  if (isNow) wakeDispatcher()
}

function createSender(client: pg.PoolClient, waits: Waits) {
  let last: Promise<unknown> = Promise.resolve()
  return <Row extends pg.QueryResultRow>(text: string, given: unknown[]): Promise<pg.QueryResult<Row>> => {
    const query = () => (given.length > 0 ? client.query<Row>(text, given) : client.query<Row>(text))
    const answer = waits === 'together' ? query() : last.then(query)
    last = answer
    return answer
  }
}

const lockSql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as free'
const findAnswerSql = `
  select request_hash, status, body_sealed
  from idempotency
  where workspace_id = $1 and caller = $2 and route = $3 and key = $4 and created_at > now() - interval '24 hours'`
const insertAnswerSql = `
  insert into idempotency (workspace_id, caller, route, key, request_hash, status, body_sealed, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, now())
  on conflict (workspace_id, caller, route, key) do update
    set
      request_hash = excluded.request_hash,
      status = excluded.status,
      body_sealed = excluded.body_sealed,
      created_at = excluded.created_at`
const accountsSql = `
  select id, slug, platform, display_name, account_id, status, status_reason, token_expires_at, token_renewable, capabilities, capabilities_at
  from connection
  where workspace_id = $1 and slug = any($2) and status <> 'disconnected'`
const usageSql = `
  with counted as (
    insert into usage_month (workspace_id, month, shard, posts) values ($1, $2, $3, 1)
    on conflict (workspace_id, month, shard) do update set posts = usage_month.posts + 1
    returning posts)
  select (counted.posts + coalesce((select sum(posts) from usage_month
    where workspace_id = $1 and month = $2 and shard <> $3), 0))::int as total
  from counted`
const postColumns = `
  type, content_format, title, text, first_comment, thread, link_url, ai_generated, platform_options, link_tags, scheduled_at, scheduled_wall, timezone,
  warnings, created_at, updated_at, workspace_id, id, request_id, status, pending_medias, counted, platforms, external_id, metadata`
const channelColumns = `
  workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, needs_stage,
  warnings, parts, thread_parts, media_count, issues, traceparent`
const insertSql = `with inserted_post as (insert into post (${postColumns}) values (${places(1, 25)}))
  insert into channel (${channelColumns}) values ${slugs.map((_, at) => `(${places(26 + at * 18, 18)})`).join(', ')}`
const eventSql = `insert into outbox_event (workspace_id, event, post_id, channel_id, connection_id, subject_id, person_id, at)
  select *
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])`
const auditSql = `
  insert into audit_entry (workspace_id, id, at, person_id, api_key_id, action, subject_id, trace_id)
  values (${places(1, 8)})`

function places(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `$${from + at}`).join(', ')
}

let pending: NodeJS.Timeout | null = null

function wakeDispatcher(): void {
  pending ??= setTimeout(() => {
    pending = null
    system.query("select pg_notify('carillon_due', '')").catch(() => {})
  }, 20)
}

serveLoad(Number(values.control), (request) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const isNow = searchParams.get('due') === 'now'
  const waits = searchParams.get('waits') === 'in steps' ? 'in steps' : 'together'
  return loadFor(app, { connections, seconds: Number(searchParams.get('seconds') ?? 0) }, (client) =>
    create(client, isNow, waits),
  )
})
