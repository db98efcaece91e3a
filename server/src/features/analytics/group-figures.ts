import type { AnalyticsGroup, Engagement, LabelFigures } from '@carillon/contract'
import type { Tx } from '../../infra/db/db.ts'
import { countFinishedBy, countFinishedByLabel, type FinishedFilter } from '../posts/reading/find-finished.ts'
import { rateEngagement } from './rate-engagement.ts'
import { sumFiguresBy, sumFiguresByLabel } from './figure-group.store.ts'

const nothing: Engagement = { likes: 0, comments: 0, shares: 0, impressions: 0, clicks: 0, saves: 0 }
const noFigures = { ...nothing, interactions: 0, collectedAt: null }

/** The figures of each platform or connection that finished a channel in the range. */
export async function groupFigures(tx: Tx, filter: FinishedFilter, by: 'platform' | 'connection'): Promise<AnalyticsGroup[]> {
  const [finished, figures] = await Promise.all([countFinishedBy(tx, filter, by), sumFiguresBy(tx, filter, by)])
  const keyOf = ({ platform, connectionId }: { platform: string; connectionId: string | null }) => `${platform} ${connectionId}`
  const figuresBy = new Map(figures.map((row) => [keyOf(row), row]))
  return finished.map((group) => {
    const { collectedAt, interactions, ...sums } = figuresBy.get(keyOf(group)) ?? noFigures
    const rate = rateEngagement({ interactions, impressions: sums.impressions })
    return { ...sums, ...group, engagementRate: rate, collectedAt: collectedAt?.toISOString() ?? null }
  })
}

/** The figures of the posts of each label that finished a channel in the range. */
export async function figuresByLabel(tx: Tx, filter: FinishedFilter): Promise<LabelFigures[]> {
  const [finished, figures] = await Promise.all([countFinishedByLabel(tx, filter), sumFiguresByLabel(tx, filter)])
  const figuresOf = new Map(figures.map((row) => [row.labelId, row]))
  return finished.map((group) => {
    const { collectedAt, interactions, ...sums } = figuresOf.get(group.labelId) ?? noFigures
    const rate = rateEngagement({ interactions, impressions: sums.impressions })
    return { ...sums, ...group, engagementRate: rate, collectedAt: collectedAt?.toISOString() ?? null }
  })
}
