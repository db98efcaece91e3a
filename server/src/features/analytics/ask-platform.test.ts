import { PlatformError, type Figures, type PlatformErrorKind } from '@carillon/connectors'
import { expect, test } from 'vitest'
import { askPlatform } from './ask-platform.ts'

const publishedAt = new Date(0)
const posts = ['a', 'b', 'c', 'd'].map((id) => ({ id, platformPostId: `post-${id}`, publishedAt }))
const failure = (kind: PlatformErrorKind) => new PlatformError({ kind, platformCode: null, message: kind })

/** A platform that knows the given figures and fails for some posts. */
function platform(figures: Record<string, Figures>, failing: Record<string, PlatformErrorKind> = {}) {
  const calls: string[][] = []
  const ask = async (postIds: readonly string[]) => {
    calls.push([...postIds])
    for (const id of postIds) if (failing[id]) throw failure(failing[id])
    return new Map(Object.entries(figures).filter(([id]) => postIds.includes(id)))
  }
  return { ask, calls }
}

test('what the platform does not tell is unknown, not zero', async () => {
  const { ask, calls } = platform({ 'post-a': { likes: 3, impressions: Number.NaN }, 'post-c': { likes: 0 } })
  const { answers, stopped } = await askPlatform(ask, posts, 3)
  expect(calls.map((ids) => ids.length)).toEqual([3, 1])
  expect(stopped).toBeNull()
  expect(answers.map(({ figures }) => figures && [figures.likes, figures.impressions])).toEqual([
    [3, null],
    null,
    [0, null],
    null,
  ])
})

/** Guarantee: one post that was removed on the platform does not hide the figures of the others. */
test('a post the platform has no more is asked about alone', async () => {
  const figures = Object.fromEntries(posts.map(({ platformPostId }) => [platformPostId, { likes: 1 }]))
  const { ask, calls } = platform(figures, { 'post-b': 'gone' })
  const { answers, stopped } = await askPlatform(ask, posts, 50)
  expect([calls.length, stopped]).toEqual([5, null])
  expect(answers.map(({ figures: row }) => row?.likes ?? null)).toEqual([1, null, 1, 1])
})

test.each(['limited', 'auth', 'unavailable', 'unknown'] as const)('%s ends the asking and keeps what was told', async (kind) => {
  const { ask, calls } = platform({ 'post-a': { likes: 1 } }, { 'post-b': kind })
  const { answers, stopped } = await askPlatform(ask, posts, 1)
  expect([calls.length, answers.length, stopped?.kind]).toEqual([2, 1, kind])
})
