import type pg from 'pg'
import { resetStatements } from './statements.ts'

/** The slowest claim of a period, which is the one that found channels, and the average number of blocks that a claim reads. */
export type ClaimCost = { ms: number; meanMs: number; calls: number; rows: number; blocks: number }

/**
 * Measures the dispatcher's own statement instead of a copy of it, which could differ from the code. The claim is recognised as the
 * statement that updates channels by `dispatch_at` and skips locked rows.
 */
export function claimCost(db: pg.Pool) {
  return {
    begin: () => resetStatements(db),
    async end(): Promise<ClaimCost> {
      const { rows } = await db.query<ClaimCost>(
        `select max_exec_time as ms, mean_exec_time as "meanMs", calls::int, rows::int,
           (shared_blks_hit + shared_blks_read)::float / calls as blocks
         from pg_stat_statements
         where userid in (select oid from pg_roles where starts_with(rolname, 'carillon_system')) and query ilike '%from part%' and query ilike '%dispatch_at%'
           and query ilike '%limit%for update%skip locked%' and query ilike '%update part%' and rows > 0
         order by rows desc limit 1`,
      )
      const [found] = rows
      if (!found) throw new Error('the dispatcher did not claim anything')
      return found
    },
  }
}
