import type { AnalyticsSnapshot, AnalyticsSummary, analytics, QueryOf, ReturnsOf } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { countFinished, type FinishedDay } from '../posts/reading/find-finished.ts'
import { sumFigures, type FigureDay } from './metric.store.ts'
import { periodOf, periodsBetween } from './periods.ts'
import { invalidField, resolveRange } from './resolve-range.ts'

const periodsMax = 1000

/** The number of channels that finished in the range, and the latest figures of those published in it: in total and for each period. */
export async function getOverview(
  scope: RequestScope,
  query: QueryOf<typeof analytics.overview>,
): Promise<ReturnsOf<typeof analytics.overview>> {
  const { granularity = 'day' } = query
  const range = resolveRange(scope, query)
  const periods = periodsBetween(range, { granularity, max: periodsMax })
  if (periods.length > periodsMax)
    throw invalidField('granularity', `The range has more than ${periodsMax} periods; make it shorter or the periods longer.`)

  const finished = await countFinished(scope.tx, range.filter)
  const figures = await sumFigures(scope.tx, range.filter)
  const snapshots = new Map(
    periods.map((date): [string, AnalyticsSnapshot] => [date, { date, published: 0, likes: 0, comments: 0, impressions: 0 }]),
  )
  for (const { day, succeeded, failed } of finished) {
    const snapshot = snapshots.get(periodOf(day, granularity))
    if (snapshot) snapshot.published += succeeded + failed
  }
  for (const { day, likes, comments, impressions } of figures) {
    const snapshot = snapshots.get(periodOf(day, granularity))
    if (!snapshot) continue
    snapshot.likes += likes
    snapshot.comments += comments
    snapshot.impressions += impressions
  }
  return { summary: summarize(finished, figures), snapshots: [...snapshots.values()] }
}

function summarize(finished: readonly FinishedDay[], figures: readonly FigureDay[]): AnalyticsSummary {
  const totalSucceeded = sum(finished, ({ succeeded }) => succeeded)
  const totalFailed = sum(finished, ({ failed }) => failed)
  const totalPublished = totalSucceeded + totalFailed
  return {
    totalPublished,
    totalSucceeded,
    totalFailed,
    successRate: totalPublished === 0 ? 0 : Math.round((totalSucceeded / totalPublished) * 10_000) / 100,
    totalLikes: sum(figures, ({ likes }) => likes),
    totalComments: sum(figures, ({ comments }) => comments),
    totalShares: sum(figures, ({ shares }) => shares),
    totalImpressions: sum(figures, ({ impressions }) => impressions),
  }
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
