import type { KyselyPlugin } from 'kysely'
import type { Db } from './db.ts'

type Plan = { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }

/** Runs one statement, undoes it, and returns how many pages it used. Pages do not depend on how busy the machine is. */
export async function countPages(system: Db, run: (db: Db) => Promise<unknown>): Promise<number> {
  const plans: Plan[] = []
  const explain: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind !== 'RawNode') return node
      const [first = '', ...others] = node.sqlFragments
      return { ...node, sqlFragments: [`explain (analyze, buffers, timing off, format json) ${first}`, ...others] }
    },
    async transformResult({ result }) {
      for (const row of result.rows) plans.push(...(row['QUERY PLAN'] as Plan[]))
      return { ...result, rows: [] }
    },
  }
  const undone = new Error('undone')
  await system
    .transaction()
    .execute(async (tx) => {
      await run(tx.withPlugin(explain))
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  const [plan, another] = plans
  if (!plan || another) throw new Error('exactly one statement can be counted')
  return plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks']
}
