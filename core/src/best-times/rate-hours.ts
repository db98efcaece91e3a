import { weekdays, type BestTimes, type HourFigures } from '@carillon/contract'
import { weekHours } from './week-hours.ts'

/** What a channel received. `engagement` is null if the platform told nothing about it, which is not the same as 0. */
export type PublishedFigures = { postId: string; connectionId: string; atMs: number; engagement: number | null }

/** Fewer posts say nothing about 168 hours of a week. */
const postsNeeded = 20
/** Every hour begins with this many posts that received the usual, so that one good post alone does not make a good hour. */
const assumedPosts = 5
/** A post counts as at most this many times the usual, so that one post that was shared widely does not decide about its hour. */
const relativeMax = 3
/** An hour with fewer posts, or that is hardly better than the usual, is shown but not recommended. */
const recommendedFrom = { posts: 3, score: 1.1 }
const bestMax = 5
/** A post is compared with the posts of its connection of the same 90 days, because the audience of an account changes. */
const periodMs = 90 * 86_400_000

type Result = Pick<BestTimes, 'posts' | 'postsNeeded' | 'isEnough' | 'leftOut' | 'hours' | 'best'>
type Known = PublishedFigures & { engagement: number }

/** How posts did at each hour of the week, compared with what is usual for their connection. */
export function rateHours(
  published: readonly PublishedFigures[],
  { timezone, nowMs }: { timezone: string; nowMs: number },
): Result {
  const hourOf = weekHours(timezone)
  const known = published.filter((each): each is Known => each.engagement !== null)
  const groups = Map.groupBy(known, ({ connectionId, atMs }) => `${connectionId} ${Math.floor((nowMs - atMs) / periodMs)}`)
  const rated = [...groups.values()].flatMap((group) => {
    const usual = usualOf(group.map(({ engagement }) => engagement))
    if (usual === null) return []
    return group.map(({ postId, atMs, engagement }) => {
      const relative = Math.min(relativeMax, (engagement * usual.count) / usual.total)
      return { postId, ...hourOf(atMs), relative }
    })
  })
  const hours = [...Map.groupBy(rated, ({ day, hour }) => `${day} ${hour}`).values()].flatMap((channels): HourFigures[] => {
    const [first] = channels
    if (!first) return []
    const byPost = Map.groupBy(channels, ({ postId }) => postId)
    // A post to five accounts is one post: its hour was chosen once.
    const ofPosts = [...byPost.values()].map((parts) => sum(parts.map(({ relative }) => relative)) / parts.length)
    const n = ofPosts.length
    const score = roundScore((assumedPosts + sum(ofPosts)) / (assumedPosts + n))
    return [{ day: first.day, hour: first.hour, n, score, certainty: certaintyOf(n) }]
  })
  const posts = new Set(rated.map(({ postId }) => postId)).size
  const isEnough = posts >= postsNeeded
  return {
    posts,
    postsNeeded,
    isEnough,
    leftOut: published.length - rated.length,
    hours: hours.toSorted((a, b) => placeOf(a) - placeOf(b)),
    best: isEnough ? pickBest(hours) : [],
  }
}

/** Of two hours with the same score, the one with more posts is the more certain one. */
function pickBest(hours: readonly HourFigures[]): HourFigures[] {
  return hours
    .filter(({ n, score }) => n >= recommendedFrom.posts && score >= recommendedFrom.score)
    .toSorted((a, b) => b.score - a.score || b.n - a.n || placeOf(a) - placeOf(b))
    .slice(0, bestMax)
}

/**
 * The median as a fraction. Where most posts of a connection received nothing, the median is 0 and compares nothing: then it is the mean.
 * Null if all of them received nothing.
 */
function usualOf(engagements: readonly number[]): { total: number; count: number } | null {
  const sorted = engagements.toSorted((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  const [median, mean] = [middle, sorted].map((values) => ({ total: sum(values), count: values.length }))
  return [median, mean].find((usual) => usual !== undefined && usual.total > 0) ?? null
}

/** From five posts on, they weigh as much as the assumed ones; from ten on, twice as much. */
function certaintyOf(n: number): HourFigures['certainty'] {
  return n >= 2 * assumedPosts ? 'good' : n >= assumedPosts ? 'some' : 'few'
}

/** In one order, so that the last digit of the sum does not depend on the order of the posts. */
function sum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0)
}

function roundScore(score: number): number {
  return Math.round(score * 100) / 100
}

function placeOf({ day, hour }: HourFigures): number {
  return weekdays.indexOf(day) * 24 + hour
}
