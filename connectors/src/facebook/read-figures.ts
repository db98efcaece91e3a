import type { Client, Figures } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { readInsights } from '../meta/read-insights.ts'
import { manifest } from './manifest.ts'
import { asPage, pathOf } from './page.ts'
import { Counts } from './wire.ts'

/** Reactions, comments and shares are fields of the post; views and clicks are insights, which not every post has. */
export async function readFigures(client: Client, postIds: readonly string[]): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const postId of postIds) {
    const counts = await ifThere(() => readCounts(client, postId))
    if (counts === null) continue
    const { impressions, clicks } = manifest.metrics
    const path = pathOf(postId, '/insights')
    const seen = await ifThere(() => readInsights(asPage(client), path, { impressions, clicks }))
    figures.set(postId, { ...counts, ...seen })
  }
  return figures
}

async function readCounts(client: Client, postId: string): Promise<Figures> {
  const query = { fields: 'reactions.summary(true).limit(0),comments.summary(true).limit(0),shares' }
  const found = await asPage(client).call({ method: 'GET', path: pathOf(postId), query, returns: Counts })
  const { reactions, comments, shares } = found
  return {
    likes: reactions?.summary?.total_count ?? 0,
    comments: comments?.summary?.total_count ?? 0,
    // Absent for a post that nobody shared.
    shares: shares?.count ?? 0,
  }
}

/** A post that was deleted has no figures, and a story has no reactions. */
async function ifThere<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'gone' || error.kind === 'rejected')) return null
    throw error
  }
}
