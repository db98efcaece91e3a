import type { Context } from '../../../context.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import { isComment } from '../../posts/part.store.ts'
import type { Settled } from './settle.store.ts'

/** Counts the results of posts that were stored, by platform and error code. */
export function countOutcomes(ctx: Context, settled: readonly Settled[]): void {
  const { outcomes } = getMetrics(ctx)
  for (const { row, result } of settled)
    if (row && !isComment(row))
      outcomes.inc({ platform: row.platform, outcome: result.kind, code: 'error' in result ? result.error.code : 'none' })
}
