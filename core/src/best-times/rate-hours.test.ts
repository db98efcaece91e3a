import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateHours, type PublishedFigures } from './rate-hours.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Monday at midnight. */
const nowMs = Date.parse('2026-11-16T00:00:00Z')
const rate = (published: readonly PublishedFigures[], timezone = 'UTC') => rateHours(published, { timezone, nowMs })

let made = 0
/** Posts at an hour of one weekday in the last weeks; 1 is the Monday a week ago, 2 the Tuesday. */
function postsAt(day: number, hour: number, engagements: readonly (number | null)[], connectionId = 'a'): PublishedFigures[] {
  return engagements.map((engagement, at) => ({
    postId: `post-${made++}`,
    connectionId,
    atMs: nowMs - (7 * (1 + (at % 11)) - (day - 1)) * dayMs + hour * hourMs,
    engagement,
  }))
}
const many = (count: number, engagement: number) => Array<number>(count).fill(engagement)
const slots = ({ best }: ReturnType<typeof rate>) => best.map(({ day, hour }) => `${day} ${hour}`)

const anyPosts = fc.array(
  fc.record({
    postId: fc.integer({ min: 0, max: 40 }).map((id) => `p${id}`),
    connectionId: fc.constantFrom('a', 'b', 'c'),
    atMs: fc.integer({ min: nowMs - 180 * dayMs + 1, max: nowMs - 2 * dayMs }),
    engagement: fc.option(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1_000_000 }))),
  }),
  { maxLength: 120 },
)

test('a score is the mean of the posts, as multiples of the usual, and of five that are usual', () => {
  const { hours, best, ...rest } = rate([...postsAt(1, 8, many(15, 10)), ...postsAt(2, 9, many(10, 22))])
  // The median of 15 × 10 and 10 × 22 is 10: (5 + 10 × 2.2) ÷ 15 = 1.8.
  expect(hours).toEqual([
    { day: 'monday', hour: 8, n: 15, score: 1, certainty: 'good' },
    { day: 'tuesday', hour: 9, n: 10, score: 1.8, certainty: 'good' },
  ])
  expect(best).toEqual([{ day: 'tuesday', hour: 9, n: 10, score: 1.8, certainty: 'good' }])
  expect(rest).toEqual({ posts: 25, postsNeeded: 20, isEnough: true, leftOut: 0 })
})

test('few, some and good are told apart by the number of posts', () => {
  const certainty = (n: number) => rate(postsAt(3, 7, many(n, 1))).hours[0]?.certainty
  expect([1, 4, 5, 9, 10].map(certainty)).toEqual(['few', 'few', 'some', 'some', 'good'])
})

/** Guarantee: what was measured on too few posts is not a recommendation. */
test('nothing is recommended below 20 posts, nor an hour with fewer than three, nor one that is hardly better than usual', () => {
  const good = postsAt(2, 9, many(9, 30))
  const under = rate([...postsAt(1, 8, many(10, 10)), ...good])
  expect(under).toMatchObject({ posts: 19, isEnough: false, best: [] })
  expect(under.hours).toHaveLength(2)
  expect(slots(rate([...postsAt(1, 8, many(11, 10)), ...good]))).toEqual(['tuesday 9'])
  const thin = [...postsAt(4, 6, many(2, 90)), ...postsAt(5, 6, many(3, 15)), ...postsAt(6, 6, many(9, 11))]
  expect(slots(rate([...postsAt(1, 8, many(30, 10)), ...thin]))).toEqual(['friday 6'])
  expect(slots(rate(postsAt(1, 8, many(40, 10))))).toEqual([])
})

test('at most five hours are recommended, the better one first, and of equal ones that with more posts', () => {
  const hours = [5, 6, 7, 8, 9, 10].flatMap((hour) => postsAt(2, hour, many(6, 2 * hour + 10)))
  expect(slots(rate([...postsAt(1, 1, many(60, 10)), ...hours]))).toEqual([10, 9, 8, 7, 6].map((hour) => `tuesday ${hour}`))
  const capped = [...postsAt(3, 4, many(5, 500)), ...postsAt(3, 5, many(10, 20)), ...postsAt(3, 6, many(20, 17.5))]
  const rated = rate([...postsAt(1, 1, many(60, 10)), ...capped])
  expect(rated.hours.slice(1).map(({ score }) => score)).toEqual([2, 1.67, 1.6])
})

/** Guarantee: an unknown figure is not a bad one. */
test('channels whose engagement is unknown are left out and counted, and change nothing', () => {
  const posts = [...postsAt(1, 8, many(15, 10)), ...postsAt(2, 9, many(10, 20))]
  const before = rate(posts)
  const after = rate([...posts, ...postsAt(2, 9, Array<null>(8).fill(null)), ...postsAt(5, 5, [null])])
  expect(after).toEqual({ ...before, leftOut: 9 })
})

test('where most posts received nothing, the mean is the usual; where all did, nothing is compared', () => {
  const { hours, leftOut } = rate([...postsAt(1, 8, many(6, 0)), ...postsAt(2, 9, many(3, 3)), ...postsAt(1, 3, many(4, 0), 'b')])
  expect(hours).toMatchObject([
    { day: 'monday', hour: 8, n: 6, score: 0.45 },
    { day: 'tuesday', hour: 9, n: 3, score: 1.75 },
  ])
  expect(leftOut).toBe(4)
})

test('a post to several accounts is one post, with the mean of its accounts', () => {
  const shared = (engagement: number, connectionId: string) =>
    ['x', 'y', 'z'].map((postId) => ({ postId, connectionId, atMs: nowMs - 6 * dayMs, engagement }))
  const posts = [...postsAt(1, 8, many(12, 10)), ...postsAt(1, 8, many(12, 100), 'b'), ...shared(20, 'a'), ...shared(100, 'b')]
  const [, hour] = rate(posts).hours
  expect(hour).toEqual({ day: 'tuesday', hour: 0, n: 3, score: 1.19, certainty: 'few' })
})

/** Guarantee: an account that grew does not make the hours look bad in which it published before. */
test('a post is compared with the posts of its connection of the same 90 days', () => {
  const at = (hour: number, daysAgo: number, engagement: number) =>
    Array.from({ length: 10 }, (_, week) => ({
      postId: `grown-${made++}`,
      connectionId: 'a',
      atMs: nowMs - (daysAgo + 7 * week) * dayMs + hour * hourMs,
      engagement,
    }))
  const { hours } = rate([...at(9, 7, 1000), ...at(15, 98, 10)])
  expect(hours.map(({ score }) => score)).toEqual([1, 1])
})

test('the order of the posts does not matter', () => {
  fc.assert(
    fc.property(
      anyPosts.chain((posts) => fc.tuple(fc.constant(posts), fc.shuffledSubarray(posts, { minLength: posts.length }))),
      ([posts, shuffled]) => {
        expect(rate(shuffled)).toEqual(rate(posts))
      },
    ),
  )
})

test('a connection with many times the figures changes nothing', () => {
  fc.assert(
    fc.property(anyPosts, fc.integer({ min: 2, max: 5000 }), (posts, factor) => {
      const scaled = posts.map((post) =>
        post.connectionId === 'b' && post.engagement !== null ? { ...post, engagement: post.engagement * factor } : post,
      )
      expect(rate(scaled)).toEqual(rate(posts))
    }),
  )
})

/** Guarantee: the fewer posts an hour has, the nearer its score is to the usual. */
test('the assumed posts move a score towards 1, and the less the more posts there are', () => {
  const base = (engagement: number) => postsAt(1, 8, many(100, engagement))
  const scoreOf = (n: number, tenths: number) => rate([...base(10), ...postsAt(2, 9, many(n, tenths))]).hours[1]?.score ?? 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 30 }), (n, tenths) => {
      const [score, more, mean] = [scoreOf(n, tenths), scoreOf(n + 1, tenths), tenths / 10]
      expect(Math.abs(score - 1)).toBeLessThanOrEqual(Math.abs(mean - 1))
      expect(Math.sign(score - 1)).toBe(Math.sign(mean - 1))
      expect(Math.abs(score - 1)).toBeLessThanOrEqual(Math.abs(more - 1))
      expect(mean === 1 || Math.abs(score - 1) < Math.abs(mean - 1)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

/** Guarantee: one post that was shared widely does not make its hour the best one. */
test('one outlier does not lift its hour over one with ten steadily good posts', () => {
  const base = postsAt(1, 8, many(40, 10))
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 15, max: 40 }), { minLength: 10, maxLength: 10 }),
      fc.integer({ min: 10, max: 1_000_000_000 }),
      (steady, outlier) => {
        const { hours, best } = rate([...base, ...postsAt(2, 9, steady), ...postsAt(3, 9, [outlier])])
        const [, good, lucky] = hours
        expect(good?.score).toBeGreaterThanOrEqual(lucky?.score ?? Infinity)
        expect(best[0]).toMatchObject({ day: 'tuesday', hour: 9, n: 10 })
      },
    ),
  )
})

test('hours are those of the time zone', () => {
  const posts = postsAt(1, 20, many(20, 1))
  expect(rate(posts, 'Pacific/Auckland').hours).toMatchObject([{ day: 'tuesday' }, { day: 'tuesday' }])
  expect(rate(posts, 'UTC').hours).toMatchObject([{ day: 'monday', hour: 20 }])
})
