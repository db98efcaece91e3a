import type { AnalyticsSnapshot, AnalyticsSummary, analytics, Metric, QueryOf, ReturnsOf } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { Tx } from '../../infra/db/db.ts'
import { countFinished, type FinishedDay, type FinishedFilter } from '../posts/reading/find-finished.ts'
import { rateEngagement } from './rate-engagement.ts'
import { figuresByLabel, groupFigures } from './group-figures.ts'
import { sumFigures, type FigureDay } from './metric.store.ts'
import { type Comparison, dayOf, invalidField, periodOf, periodsBetween, rangeBefore, resolveRange } from './resolve-range.ts'

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

  const { tx } = scope
  const { finished, figures } = await loadFigures(tx, range.filter)
  const snapshots = new Map(periods.map((date): [string, AnalyticsSnapshot] => [date, { date, published: 0, ...nothing }]))
  for (const { day, succeeded, failed } of finished) {
    const snapshot = snapshots.get(periodOf(day, granularity))
    if (snapshot) snapshot.published += succeeded + failed
  }
  for (const { day, ...counts } of figures) {
    const snapshot = snapshots.get(periodOf(day, granularity))
    if (!snapshot) continue
    for (const name of metrics) snapshot[name] += counts[name]
  }
  return {
    summary: summarize(finished, figures),
    snapshots: [...snapshots.values()],
    ...(await loadGroups(tx, range.filter, query.by)),
    ...(query.compare && (await summarizePrevious(tx, range.filter, query.compare))),
  }
}

const nothing = { likes: 0, comments: 0, impressions: 0, shares: 0, clicks: 0, saves: 0 }
const metrics = ['likes', 'comments', 'impressions', 'shares', 'clicks', 'saves'] as const satisfies readonly Metric[]

async function loadGroups(tx: Tx, filter: FinishedFilter, by: QueryOf<typeof analytics.overview>['by']) {
  if (by === undefined) return {}
  return by === 'label' ? { labels: await figuresByLabel(tx, filter) } : { groups: await groupFigures(tx, filter, by) }
}

async function loadFigures(tx: Tx, filter: FinishedFilter): Promise<{ finished: FinishedDay[]; figures: FigureDay[] }> {
  const [finished, figures] = await Promise.all([countFinished(tx, filter), sumFigures(tx, filter)])
  return { finished, figures }
}

/** The summary of the time that a range is compared with, and its days. */
async function summarizePrevious(tx: Tx, filter: FinishedFilter, compare: Comparison) {
  const previous = rangeBefore(filter, compare)
  const { finished, figures } = await loadFigures(tx, { ...filter, ...previous })
  const previousRange = { from: dayOf(previous.from.getTime()), to: dayOf(previous.before.getTime() - 1) }
  return { previous: summarize(finished, figures), previousRange }
}

function summarize(finished: readonly FinishedDay[], figures: readonly FigureDay[]): AnalyticsSummary {
  const totalSucceeded = sum(finished, ({ succeeded }) => succeeded)
  const totalFailed = sum(finished, ({ failed }) => failed)
  const totalPublished = totalSucceeded + totalFailed
  const totalImpressions = sum(figures, ({ impressions }) => impressions)
  return {
    totalPublished,
    totalSucceeded,
    totalFailed,
    successRate: totalPublished === 0 ? 0 : Math.round((totalSucceeded / totalPublished) * 10_000) / 100,
    totalLikes: sum(figures, ({ likes }) => likes),
    totalComments: sum(figures, ({ comments }) => comments),
    totalShares: sum(figures, ({ shares }) => shares),
    totalImpressions,
    totalClicks: sum(figures, ({ clicks }) => clicks),
    totalSaves: sum(figures, ({ saves }) => saves),
    engagementRate: rateEngagement({
      interactions: sum(figures, ({ interactions }) => interactions),
      impressions: totalImpressions,
    }),
    engagementChannels: sum(figures, ({ rated }) => rated),
    engagementLeftOut: sum(figures, ({ unrated }) => unrated),
  }
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
