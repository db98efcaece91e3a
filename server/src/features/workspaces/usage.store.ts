import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { runStatement } from '../../infra/db/run-statement.ts'

/** Counts one accepted post and returns the month's total. Shards prevent the requests of a busy workspace from waiting for one row. */
export async function countAcceptedPost(
  tx: Tx,
  { workspaceId, month, shard }: { workspaceId: string; month: string; shard: number },
): Promise<number> {
  const [row] = await runStatement<{ total: number }>(tx, countText, [workspaceId, month, shard])
  return row?.total ?? 0
}

const countText = `
  with counted as (
    insert into usage_month (workspace_id, month, shard, posts)
    values ($1, $2, $3, 1)
    on conflict (workspace_id, month, shard) do update
      set posts = usage_month.posts + 1
    returning posts
  )
  select (
    counted.posts + coalesce(
      (
        select sum(posts)
        from usage_month
        where workspace_id = $1
          and month = $2
          and shard <> $3
      ),
      0
    )
  )::int as total
  from counted`

export async function sumAcceptedPosts(tx: Db | Tx, workspaceId: string, month: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(posts), 0)::int as total
    from usage_month
    where workspace_id = ${workspaceId}
      and month = ${month}
  `.execute(tx)
  return rows[0]?.total ?? 0
}
