import type { Context } from '../../context.ts'
import type { Tx } from '../db/db.ts'
import { keepWorkersAwake } from '../queue/keep-workers-awake.ts'
import type { RequestScope } from './request-scope.ts'

type AfterCommit = RequestScope['afterCommit']

/**
 * Runs work in a transaction, and what it asked for with `afterCommit` once that is committed. The result does not wait for it, and its failure is
 * only logged.
 */
export async function commitThenRun<T>(
  { ctx, traceId }: { ctx: Context; traceId: string },
  transact: (run: (tx: Tx) => Promise<T>) => Promise<T>,
  work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>,
): Promise<T> {
  const after: (() => unknown)[] = []
  const result = await transact((tx) => {
    // A transaction may be tried again.
    after.length = 0
    return work(tx, (next) => void after.push(next))
  })
  keepWorkersAwake(ctx)
  for (const next of after)
    void Promise.resolve(next()).catch((err: unknown) =>
      ctx.log.warn({ err, traceId }, 'work after a commit failed; a worker will repeat it'),
    )
  return result
}
