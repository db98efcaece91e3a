import { connectors, PlatformError, type Figures, type PlatformErrorKind } from '@carillon/connectors'
import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { fetchFigures } from './fetch-figures.ts'
import { readsFigures } from '../connections/connector-of.ts'

const publishedAt = new Date(0)
const posts = ['a', 'b', 'c', 'd'].map((id) => ({ id, platformPostId: `post-${id}`, publishedAt }))
const failure = (kind: PlatformErrorKind) => new PlatformError({ kind, platformCode: null, message: kind })

/** A platform that has the given figures and fails for some posts. */
function platform(figures: Record<string, Figures>, failing: Record<string, PlatformErrorKind> = {}) {
  const calls: string[][] = []
  const request = async (postIds: readonly string[]) => {
    calls.push([...postIds])
    for (const id of postIds) if (failing[id]) throw failure(failing[id])
    return new Map(Object.entries(figures).filter(([id]) => postIds.includes(id)))
  }
  return { request, calls }
}

test('a figure that the platform does not report is unknown, not zero', async () => {
  const { request, calls } = platform({ 'post-a': { likes: 3, impressions: Number.NaN }, 'post-c': { likes: 0 } })
  const { channels, error } = await fetchFigures(request, posts, 3)
  expect(calls.map((ids) => ids.length)).toEqual([3, 1])
  expect(error).toBeNull()
  expect(channels.map(({ figures }) => figures && [figures.likes, figures.impressions])).toEqual([
    [3, null],
    null,
    [0, null],
    null,
  ])
})

/** Guarantee: one post that was removed on the platform does not hide the figures of the others. */
test('if a batch contains a removed post, each post is requested alone', async () => {
  const figures = Object.fromEntries(posts.map(({ platformPostId }) => [platformPostId, { likes: 1 }]))
  const { request, calls } = platform(figures, { 'post-b': 'gone' })
  const { channels, error } = await fetchFigures(request, posts, 50)
  expect([calls.length, error]).toEqual([5, null])
  expect(channels.map(({ figures: row }) => row?.likes ?? null)).toEqual([1, null, 1, 1])
})

test.each(['limited', 'auth', 'unavailable', 'unknown'] as const)(
  'after the error %s no more posts are requested, and the figures fetched before are kept',
  async (kind) => {
    const { request, calls } = platform({ 'post-a': { likes: 1 } }, { 'post-b': kind })
    const { channels, error } = await fetchFigures(request, posts, 1)
    expect([calls.length, channels.length, error?.kind]).toEqual([2, 1, kind])
  },
)

/** Guarantee: a platform is not paid for figures unless the operator chose that. */
test('figures that cost money are read only where the operator wants them', () => {
  const reading = (paidFigures: string[]) => {
    const ctx = { config: { paidFigures } } as unknown as Pick<Context, 'config'>
    const withFigures = Object.values(connectors).filter(({ manifest }) => manifest.can.metrics)
    return withFigures.flatMap((connector) => (readsFigures(ctx, connector) ? [] : [connector.manifest.platform]))
  }
  expect(reading([])).toEqual(['x'])
  expect(reading(['x'])).toEqual([])
})
