import { sql } from 'kysely'
import type { Tx } from '../db/db.ts'
import { problem } from '../problem/problem.ts'

export type IdempotentRequest = {
  workspaceId: string
  /** The person and their API key. */
  caller: string
  route: string
  key: string
  requestHash: Buffer
  /** Stored answers are encrypted, because they contain what posts say. Secrets that are shown only once are left out of them. */
  seal(body: string): Buffer
  open(sealed: Buffer): string
}
export type StoredAnswer = { status: number; body: string }

/**
 * The answer to the first request with this key, or null when this is the first. The lock lasts as long as the transaction. A second
 * request does not wait for it, because the first may take long; it is refused with `idempotency_in_flight`.
 */
export async function findAnswer(
  tx: Tx,
  { workspaceId, caller, route, key, requestHash, open }: IdempotentRequest,
): Promise<StoredAnswer | null> {
  const name = `${workspaceId} ${caller} ${route} ${key}`
  // Two statements, sent together: the second must see what the previous holder of the lock committed.
  const locking = sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 1)) as free
  `.execute(tx)
  const finding = sql<{ request_hash: Buffer; status: number; body_sealed: Buffer }>`
    select request_hash, status, body_sealed
    from idempotency
    where workspace_id = ${workspaceId}
      and caller = ${caller}
      and route = ${route}
      and key = ${key}
      and created_at > now() - interval '24 hours'
  `.execute(tx)
  const [lock, { rows }] = await Promise.all([locking, finding])
  if (!lock.rows[0]?.free) throw problem('idempotency_in_flight', { retryAfterSeconds: 1 })
  const [row] = rows
  if (!row) return null
  if (!row.request_hash.equals(requestHash)) throw problem('idempotency_key_reused')
  return { status: row.status, body: open(row.body_sealed) }
}

/** Called in the transaction of the request, so that its changes and the stored answer commit together. */
export async function insertAnswer(tx: Tx, request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
  const { workspaceId, caller, route, key, requestHash } = request
  await sql`
    insert into idempotency (workspace_id, caller, route, key, request_hash, status, body_sealed, created_at)
    values (${workspaceId}, ${caller}, ${route}, ${key}, ${requestHash}, ${answer.status}, ${request.seal(answer.body)}, now())
    on conflict (workspace_id, caller, route, key) do update
      set
        request_hash = excluded.request_hash,
        status = excluded.status,
        body_sealed = excluded.body_sealed,
        created_at = excluded.created_at
  `.execute(tx)
}

/** Stored as the status while a request is still running; no HTTP status is 0. */
const running = 0

/**
 * Like `findAnswer`, for work without a transaction: a committed row with the status "running" replaces the lock. If the process dies, the
 * row remains, so it expires after two minutes; such work always takes less.
 */
export async function claimAnswer(tx: Tx, request: IdempotentRequest): Promise<StoredAnswer | null> {
  const { workspaceId, caller, route, key, requestHash } = request
  const claimed = await sql`
    insert into idempotency as seen (workspace_id, caller, route, key, request_hash, status, body_sealed, created_at)
    values (${workspaceId}, ${caller}, ${route}, ${key}, ${requestHash}, ${running}, '', now())
    on conflict (workspace_id, caller, route, key) do update
      set
        request_hash = excluded.request_hash,
        status = excluded.status,
        body_sealed = '',
        created_at = excluded.created_at
      where seen.created_at <= now() - interval '24 hours'
        or (seen.status = ${running} and seen.created_at <= now() - interval '2 minutes')
    returning 1`.execute(tx)
  if (claimed.rows.length > 0) return null
  const row = await tx
    .selectFrom('idempotency')
    .select(['request_hash', 'status', 'body_sealed'])
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('route', '=', route)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row && !row.request_hash.equals(requestHash)) throw problem('idempotency_key_reused')
  if (!row || row.status === running) throw problem('idempotency_in_flight', { retryAfterSeconds: 1 })
  return { status: row.status, body: request.open(row.body_sealed) }
}

export async function settleClaim(tx: Tx, request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
  const change = { status: answer.status, body_sealed: request.seal(answer.body) }
  await tx.updateTable('idempotency').set(change).where(ownClaim(request)).execute()
}

/** After a failure the key can be used again. */
export async function dropClaim(tx: Tx, request: IdempotentRequest): Promise<void> {
  await tx.deleteFrom('idempotency').where(ownClaim(request)).execute()
}

function ownClaim({ workspaceId, caller, route, key, requestHash }: IdempotentRequest) {
  return sql<boolean>`
    workspace_id = ${workspaceId}
    and caller = ${caller}
    and route = ${route}
    and key = ${key}
    and status = ${running}
    and request_hash = ${requestHash}
  `
}
