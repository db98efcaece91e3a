import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'

export type TroubledChannels = { failed: number; unconfirmed: number; late: number }

/** Each number stops at `max`, so that a workspace with many failed posts does not slow down every page. */
export async function countTroubledChannels(tx: Tx, workspaceId: string, max: number): Promise<TroubledChannels> {
  const withOutcome = (outcome: string) => sql`(
    select count(*)::int
    from (
      select
      from channel c
      join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
      where c.workspace_id = ${workspaceId} and c.outcome = ${sql.lit(outcome)} and p.archived_at is null
      limit ${max}
    ) as found
  )`
  const { rows } = await sql<TroubledChannels>`
    select
      ${withOutcome('failed')} as failed,
      ${withOutcome('unconfirmed')} as unconfirmed,
      (
        select count(*)::int
        from (
          select
          from channel c
          where c.workspace_id = ${workspaceId} and c.waiting_reason is not null and c.due_at < now() - interval '1 minute'
          limit ${max}
        ) as found
      ) as late`.execute(tx)
  return rows[0] ?? { failed: 0, unconfirmed: 0, late: 0 }
}
