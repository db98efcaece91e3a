import type { ChannelStatus, PostStatus } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { inOrderOfNeed, readOutcome } from './read-outcome.ts'

const outcome = (status: PostStatus, ...channels: ChannelStatus[]) =>
  readOutcome({ status, channels: channels.map((each) => ({ result: { status: each } })) })

test('guarantee: nothing is said about a post that is still under way', () => {
  for (const status of ['queued', 'publishing', 'scheduled'] as const) expect(outcome(status, 'success', 'publishing')).toBeNull()
})

test('guarantee: "published" is said of all accounts only, and a lost answer is not called a failure', () => {
  expect(outcome('completed', 'success', 'success')).toEqual({ result: 'published', count: 2, total: 2 })
  expect(outcome('partial_failure', 'success', 'failed', 'success')).toEqual({ result: 'partly', count: 2, total: 3 })
  expect(outcome('partial_failure', 'success', 'unconfirmed')).toEqual({ result: 'partly', count: 1, total: 2 })
  expect(outcome('failed', 'failed', 'unconfirmed')).toEqual({ result: 'failed', count: 0, total: 2 })
  expect(outcome('failed', 'unconfirmed')).toEqual({ result: 'unconfirmed', count: 0, total: 1 })
})

test('an account that was taken out meanwhile is not counted', () => {
  expect(outcome('completed', 'success', 'canceled')).toEqual({ result: 'published', count: 1, total: 1 })
})

test('what a person may have to do comes first', () => {
  const statuses = ['success', 'pending', 'failed', 'success', 'unconfirmed', 'publishing'] as const
  const ordered = inOrderOfNeed(statuses.map((status) => ({ result: { status } })))
  expect(ordered.map(({ result }) => result.status)).toEqual([
    'failed',
    'unconfirmed',
    'publishing',
    'pending',
    'success',
    'success',
  ])
})
