import { setTimeout as sleep } from 'node:timers/promises'
import { type Figures, PlatformError } from '@carillon/connectors'
import type { ChannelFigures, FigureRow } from './metric.store.ts'

type PublishedPost = { id: string; platformPostId: string; publishedAt: Date }
type RequestFigures = (postIds: readonly string[]) => Promise<ReadonlyMap<string, Figures>>

/** `error`: why the platform was not asked about the remaining posts; null if it was asked about all of them. */
export type FetchedFigures = { channels: ChannelFigures[]; error: PlatformError | null }

/** How long a pull waits for one response. */
const responseWaitMs = 20_000

/** Requests the figures of posts in batches. If the platform rejects a batch, each of its posts is requested alone. */
export async function fetchFigures(
  request: RequestFigures,
  posts: readonly PublishedPost[],
  batchSize: number,
): Promise<FetchedFigures> {
  const fetched: FetchedFigures = { channels: [], error: null }
  for (let at = 0; at < posts.length && !fetched.error; at += batchSize) {
    const batch = posts.slice(at, at + batchSize)
    try {
      const figures = await withTimeout(request(batch.map(({ platformPostId }) => platformPostId)))
      fetched.channels.push(...batch.map((post) => channelFigures(post, figures.get(post.platformPostId))))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.kind !== 'gone' && error.kind !== 'rejected') fetched.error = error
      else if (batch.length === 1) fetched.channels.push(...batch.map((post) => channelFigures(post, undefined)))
      else {
        const single = await fetchFigures(request, batch, 1)
        fetched.channels.push(...single.channels)
        fetched.error = single.error
      }
    }
  }
  return fetched
}

function channelFigures({ id, publishedAt }: PublishedPost, figures: Figures | undefined): ChannelFigures {
  return { channelId: id, publishedAt, figures: figures ? rowOf(figures) : null }
}

function rowOf({ likes, comments, shares, impressions, clicks, saves }: Figures): FigureRow {
  return {
    likes: countOrNull(likes),
    comments: countOrNull(comments),
    shares: countOrNull(shares),
    impressions: countOrNull(impressions),
    clicks: countOrNull(clicks),
    saves: countOrNull(saves),
  }
}

/** A value that is not a count is stored as unknown. */
function countOrNull(figure: number | undefined): number | null {
  return Number.isSafeInteger(figure) && figure !== undefined && figure >= 0 ? figure : null
}

export async function withTimeout<T>(response: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const timeout = sleep(responseWaitMs, null, { signal: timer.signal }).then(
    () => {
      throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The platform takes too long to answer.' })
    },
    () => response,
  )
  try {
    return await Promise.race([response, timeout])
  } finally {
    timer.abort()
  }
}
