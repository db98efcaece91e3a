import type { KyselyPlugin } from 'kysely'
import type { Db } from './db.ts'

type Node = {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}

/** Runs one statement, undoes it, and returns how many pages it used. Pages do not depend on how busy the machine is. */
export async function countPages(system: Db, run: (db: Db) => Promise<unknown>): Promise<number> {
  const plan = await explain(system, run)
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** Runs one statement, undoes it, and returns how many rows or pairs of rows it read in vain. */
export async function countDiscardedRows(system: Db, run: (db: Db) => Promise<unknown>): Promise<number> {
  return discardedBy(await explain(system, run))
}

function discardedBy(node: Node): number {
  const own = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return (node.Plans ?? []).reduce((sum, plan) => sum + discardedBy(plan), own * node['Actual Loops'])
}

async function explain(system: Db, run: (db: Db) => Promise<unknown>): Promise<Node> {
  const plans: { Plan: Node }[] = []
  const explaining: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind !== 'RawNode') return node
      const [first = '', ...others] = node.sqlFragments
      return { ...node, sqlFragments: [`explain (analyze, buffers, timing off, format json) ${first}`, ...others] }
    },
    async transformResult({ result }) {
      for (const row of result.rows) plans.push(...(row['QUERY PLAN'] as { Plan: Node }[]))
      return { ...result, rows: [] }
    },
  }
  const undone = new Error('undone')
  await system
    .transaction()
    .execute(async (tx) => {
      await run(tx.withPlugin(explaining))
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  const [plan, another] = plans
  if (!plan || another) throw new Error('exactly one statement can be counted')
  return plan.Plan
}
