import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError, type Figures } from '@carillon/connectors'
import type { Answered, FigureRow } from './metric.store.ts'

type AskedAbout = { id: string; platformPostId: string; publishedAt: Date }
type Ask = (postIds: readonly string[]) => Promise<ReadonlyMap<string, Figures>>

/** `stopped`: why the platform was not asked about the rest. */
export type Told = { answers: Answered[]; stopped: PlatformError | null }

/** How long a run waits for one answer: runs share the engine's slots with publishing. */
const patienceMs = 20_000

/** Asks about posts, some at a time. A post the platform refuses to speak of does not keep the others from being asked about. */
export async function askPlatform(ask: Ask, posts: readonly AskedAbout[], atOnce: number): Promise<Told> {
  const told: Told = { answers: [], stopped: null }
  for (let at = 0; at < posts.length && !told.stopped; at += atOnce) {
    const some = posts.slice(at, at + atOnce)
    try {
      const figures = await within(ask(some.map(({ platformPostId }) => platformPostId)))
      told.answers.push(...some.map((post) => answered(post, figures.get(post.platformPostId))))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.kind !== 'gone' && error.kind !== 'rejected') told.stopped = error
      else if (some.length === 1) told.answers.push(...some.map((post) => answered(post, undefined)))
      else {
        const each = await askPlatform(ask, some, 1)
        told.answers.push(...each.answers)
        told.stopped = each.stopped
      }
    }
  }
  return told
}

function answered({ id, publishedAt }: AskedAbout, figures: Figures | undefined): Answered {
  return { channelId: id, publishedAt, figures: figures ? rowOf(figures) : null }
}

function rowOf({ likes, comments, shares, impressions, clicks, saves }: Figures): FigureRow {
  return {
    likes: whole(likes),
    comments: whole(comments),
    shares: whole(shares),
    impressions: whole(impressions),
    clicks: whole(clicks),
    saves: whole(saves),
  }
}

/** What is not a count is not known. */
function whole(figure: number | undefined): number | null {
  return Number.isSafeInteger(figure) && figure !== undefined && figure >= 0 ? figure : null
}

async function within<T>(asking: Promise<T>): Promise<T> {
  const patience = new AbortController()
  const late = sleep(patienceMs, null, { signal: patience.signal }).then(
    () => {
      throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The platform takes too long to answer.' })
    },
    () => asking,
  )
  try {
    return await Promise.race([asking, late])
  } finally {
    patience.abort()
  }
}
