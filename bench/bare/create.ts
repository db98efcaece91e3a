import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { loadFor, serveLoad } from './script-load.ts'

/**
 * The least that a program can do to accept a post: the statements of the API's own transaction with prepared values, and the same
 * debounced notification. No HTTP, no validation, no answer. Every run compares these statements with those of the API, using
 * pg_stat_statements.
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
const asRole = (role: string, max: number) => new pg.Pool({ connectionString: values.database, max, options: `-c role=${role}` })
const app = asRole('carillon_app', connections)
const system = asRole('carillon_system', 1)
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

async function create(client: pg.PoolClient, isNow: boolean): Promise<void> {
  const nowMs = Date.now()
  const now = new Date(nowMs)
  const due = isNow ? now : new Date(nowMs + 365 * 86_400_000)
  const id = newId(nowMs)
  await client.query(`begin read write; select set_config('carillon.workspace', ${client.escapeLiteral(workspaceId)}, true)`)
  const { rows } = await client.query<Connection>(accountsSql, [workspaceId, slugs])
  await client.query(usageSql, [workspaceId, now.toISOString().slice(0, 7), randomInt(8)])
  const channels = slugs.map((slug, position) => {
    const { id: connectionId = '', display_name: name = '', platform = '' } = rows.find((row) => row.slug === slug) ?? {}
    return [
      workspaceId,
      newId(nowMs),
      id,
      position,
      connectionId,
      slug,
      name,
      platform,
      'scheduled',
      due,
      due,
      platform === 'threads',
      '[]',
      'none',
    ]
  })
  const status = isNow ? 'queued' : 'scheduled'
  const written = ['text', null, null, 'A post.', null, null, '{}', isNow ? null : due, null, null, '[]', now, now]
  const postValues = [...written, workspaceId, id, newUuid(nowMs), status, null]
  await client.query(insertSql, [...postValues, ...channels.flat()])
  if (!isNow) await client.query(eventSql, [[workspaceId], ['upload.scheduled'], [id], [null], [null], [now]])
  await client.query(auditSql, [workspaceId, newUuid(nowMs), now, null, null, 'post.create', id, newUuid(nowMs)])
  await client.query('commit')
  if (isNow) wakeDispatcher()
}

const accountsSql = `
  select id, slug, platform, display_name, status, status_reason
  from connection
  where workspace_id = $1 and slug = any($2)`
const usageSql = `
  with counted as (
    insert into usage_month (workspace_id, month, shard, posts) values ($1, $2, $3, 1)
    on conflict (workspace_id, month, shard) do update set posts = usage_month.posts + 1
    returning posts)
  select (counted.posts + coalesce((select sum(posts) from usage_month
    where workspace_id = $1 and month = $2 and shard <> $3), 0))::int as total
  from counted`
const postColumns = `
  type, content_format, title, text, first_comment, link_url, platform_options, scheduled_at, scheduled_wall, timezone, warnings,
  created_at, updated_at, workspace_id, id, request_id, status, pending_medias`
const channelColumns = `
  workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, needs_stage,
  warnings, comment_state`
const insertSql = `with made as (insert into post (${postColumns}) values (${places(1, 18)}))
  insert into channel (${channelColumns}) values ${slugs.map((_, at) => `(${places(19 + at * 14, 14)})`).join(', ')}`
const eventSql = `insert into outbox_event (workspace_id, event, post_id, channel_id, connection_id, at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`
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
  return loadFor(app, { connections, seconds: Number(searchParams.get('seconds') ?? 0) }, (client) => create(client, isNow))
})
