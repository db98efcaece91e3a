import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logProgress } from '../log-progress.ts'
import { resetStatements, statementsOf } from './statements.ts'

const settleMs = 200

export type Drift = { onlyApi: string[]; onlyBare: string[] }

/** Compares the statements of both sides with pg_stat_statements: a comparison of times is meaningless if the SQL differs. */
export async function findDrift(db: pg.Pool, sides: Record<'api' | 'bare', () => Promise<unknown>>): Promise<Drift> {
  const seen = async (run: () => Promise<unknown>) => {
    await resetStatements(db)
    await run()
    // The transaction of a read ends a moment after its answer, and PostgreSQL counts a statement when it has ended.
    await sleep(settleMs)
    return statementsOf(db, 'carillon_app')
  }
  const api = await seen(sides.api)
  const bare = await seen(sides.bare)
  const drift = { onlyApi: without(api, bare), onlyBare: without(bare, api) }
  for (const query of drift.onlyApi) logProgress(`only the API: ${query}`)
  for (const query of drift.onlyBare) logProgress(`only the bare script: ${query}`)
  return drift
}

function without(list: Map<string, string>, other: Map<string, string>): string[] {
  return [...list].filter(([id]) => !other.has(id)).map(([, query]) => query)
}
