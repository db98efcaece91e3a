import type pg from 'pg'
import type { ConnectedAccount } from './connect-accounts.ts'

type Pending = { workspaceId: string; target: ConnectedAccount; from: number; count: number }

const rowsPerStatement = 100_000

/** Inserts scheduled posts for the coming year with one channel each. PostgreSQL generates the rows itself. */
export async function seedPending(db: pg.Pool, { workspaceId, target, from, count }: Pending): Promise<void> {
  for (let at = from; at < from + count; at += rowsPerStatement) {
    const last = Math.min(at + rowsPerStatement, from + count) - 1
    await db.query(
      `with made as (
         insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, warnings, created_at,
           updated_at)
         select $1, '5eed5eed' || lpad(to_hex(n), 16, '0'), gen_random_uuid(), 'scheduled', 'text', 'pending ' || n, '{}',
           now() + interval '1 day' + n * interval '31 seconds', '[]', now(), now()
         from generate_series($2::int, $3::int) as n
         returning workspace_id, id, scheduled_at)
       insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at,
         dispatch_at, needs_stage, warnings)
       select workspace_id, 'c4a1' || substr(id, 5), id, 0, $4, $5, $6, 'bluesky', 'scheduled', scheduled_at, scheduled_at, false, '[]'
       from made`,
      [workspaceId, at, last, target.id, target.slug, target.account.handle],
    )
  }
}
