import type { AnalyticsGroup } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { analyticsOverview, analyticsPlatformMetrics, platformsList } from '../api/queries.gen.ts'
import { lastDays } from '../time/last-days.ts'
import type { Grouping, Metric, Range } from './analytics-search.ts'

type Wish = { days: Range; by: Grouping; label: string | null }

/** The figures of a range, those of the same time before, and which platforms report which of them. */
export function useFigures(workspaceId: string, { days, by, label }: Wish) {
  const range = { ...lastDays(Number(days)), ...(label !== null && { label }) }
  const granularity = days === '90' ? 'week' : 'day'
  const overview = useQuery(
    analyticsOverview(workspaceId, {
      ...range,
      granularity,
      // The figures by label are asked for by their table.
      by: by === 'label' ? 'platform' : by,
      compare: 'previous',
    }),
  )
  const { data: reported = [] } = useQuery(analyticsPlatformMetrics(workspaceId))
  const { data: platforms = [] } = useQuery(platformsList())
  const nameOf = (platform: string) => platforms.find((each) => each.platform === platform)?.name ?? platform
  const reports = (platform: string, metric: Metric) =>
    reported.find((each) => each.platform === platform)?.metrics.includes(metric) ?? true
  return { overview, range, granularity, nameOf, reports } as const
}

type FigureState = 'counted' | 'not-collected' | 'not-told'

/** Whether a figure is a count, has not been asked for yet, or is something that the platform does not tell. */
export function figureState(group: AnalyticsGroup, isReported: boolean): FigureState {
  if (!isReported) return 'not-told'
  return group.collectedAt === null ? 'not-collected' : 'counted'
}
