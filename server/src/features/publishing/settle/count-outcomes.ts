import type { Context } from '../../../context.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import type { Finished } from './result.ts'
import type { SettledChannel } from './settle.store.ts'

/** Counts the results that were stored, by platform and error code. */
export function countOutcomes(ctx: Context, settled: readonly SettledChannel[], finished: readonly Finished[]): void {
  const { outcomes } = getMetrics(ctx)
  const resultOf = new Map(finished.map(({ ref, result }) => [ref.channelId, result]))
  for (const { id, platform } of settled) {
    const result = resultOf.get(id)
    if (result) outcomes.inc({ platform, outcome: result.kind, code: 'error' in result ? result.error.code : 'none' })
  }
}
