import { metricLabels, platforms, type Metric, type PlatformMetrics } from '@carillon/contract'
import type { Context } from '../../context.ts'

/** The figures that each platform reports, according to its manifest. */
export function describeMetrics(ctx: Context): PlatformMetrics[] {
  return platforms.map((platform) => {
    const { metrics, primaryImpression } = ctx.connectors[platform].manifest
    const names = (Object.keys(metricLabels) as Metric[]).filter((name) => metrics[name] !== undefined)
    return {
      platform,
      primaryImpression: primaryImpression ?? '',
      metrics: names,
      labels: Object.fromEntries(names.map((name) => [name, metricLabels[name]])),
    }
  })
}
