import type { AnalyticsGroup } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { analyticsOverview, analyticsPlatformMetrics, platformsList } from '../api/queries.gen.ts'
import { lastDays } from '../time/last-days.ts'
import type { Chosen, Metric } from './analytics-search.ts'

/** The figures of a range, those of the time before, and which platforms report which of them. */
export function useFigures(workspaceId: string, chosen: Chosen) {
  const { by, label, against } = chosen
  const days = daysOf(chosen)
  // While the fields hold no range, the last 28 days are asked for but not shown.
  const range = { ...(days ?? lastDays(28)), ...(label !== null && { label }) }
  const granularity = granularityOf(range)
  const overview = useQuery({
    ...analyticsOverview(workspaceId, {
      ...range,
      granularity,
      // The figures by label are asked for by their table.
      by: by === 'label' ? 'platform' : by,
      compare: against,
    }),
    enabled: days !== null,
  })
  const { data: reported = [] } = useQuery(analyticsPlatformMetrics(workspaceId))
  const { data: platforms = [] } = useQuery(platformsList())
  const nameOf = (platform: string) => platforms.find((each) => each.platform === platform)?.name ?? platform
  const reports = (platform: string, metric: Metric) =>
    reported.find((each) => each.platform === platform)?.metrics.includes(metric) ?? true
  const partsOf = (platform: string) => reported.find((each) => each.platform === platform)?.engagementParts ?? []
  return { overview, range, isRange: days !== null, nameOf, reports, partsOf } as const
}

/** The days that are shown. Null while a range of one's own has no first or last day, or ends before it begins. */
function daysOf({ days, from, to }: Chosen): { from: string; to: string } | null {
  if (days !== 'own') return lastDays(Number(days))
  return from !== '' && to !== '' && from <= to ? { from, to } : null
}

/** Up to about a month by day, up to half a year by week: more bars than that cannot be told apart on a phone. */
function granularityOf({ from, to }: { from: string; to: string }): 'day' | 'week' | 'month' {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return days <= 45 ? 'day' : days <= 190 ? 'week' : 'month'
}

type FigureState = 'counted' | 'not-collected' | 'not-told'

/** Whether a figure is a count, has not been asked for yet, or is something that the platform does not tell. */
export function figureState(group: AnalyticsGroup, isReported: boolean): FigureState {
  if (!isReported) return 'not-told'
  return group.collectedAt === null ? 'not-collected' : 'counted'
}
