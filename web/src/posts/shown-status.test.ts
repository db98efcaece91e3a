import type { ChannelStatus, PostStatus } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { shownChannelStatus, shownStatus } from './shown-status.ts'

const onlyAuthor =
  'Only you can see this post, because no audience was chosen. Change it in the TikTok app (the post’s privacy settings), and choose ' +
  '"Who can see the post" (privacyLevel) for the next one.'

const keptPrivate =
  'Only you can see this video: YouTube keeps videos private until it has audited the developer app. Its operator has to apply for the audit.'

test.each<[PostStatus, ChannelStatus[], PostStatus | ChannelStatus]>([
  ['failed', ['unconfirmed'], 'unconfirmed'],
  ['partial_failure', ['success', 'unconfirmed'], 'unconfirmed'],
  ['partial_failure', ['failed', 'unconfirmed'], 'partial_failure'],
  ['failed', ['failed'], 'failed'],
  ['completed', ['success'], 'completed'],
  ['publishing', ['pending', 'unconfirmed'], 'publishing'],
])('guarantee: a post that is %s with the channels %j is shown as %s', (status, channels, shown) => {
  expect(shownStatus({ status, channels: channels.map((each) => ({ result: { status: each } })) })).toBe(shown)
})

test('a draft that was submitted for approval, or returned, says so until it is released', () => {
  const shown = (status: PostStatus, state: 'pending' | 'changes_requested' | 'approved') =>
    shownStatus({ status, channels: [], approval: { state, revision: null } })
  expect(shown('draft', 'pending')).toBe('waiting')
  expect(shown('draft', 'changes_requested')).toBe('returned')
  expect(shown('scheduled', 'approved')).toBe('scheduled')
})

test('guarantee: a post that only its author can see is not shown as published for all', () => {
  const seen: { status: ChannelStatus; warnings: string[] } = { status: 'success', warnings: [] }
  const unseen = { ...seen, warnings: [onlyAuthor] }
  expect(shownChannelStatus(unseen)).toBe('only_author')
  expect(shownChannelStatus({ ...seen, warnings: [keptPrivate] })).toBe('only_author')
  expect(shownChannelStatus(seen)).toBe('success')
  expect(shownChannelStatus({ ...unseen, status: 'failed' })).toBe('failed')
  const shown = (...results: (typeof seen)[]) =>
    shownStatus({ status: 'completed', channels: results.map((result) => ({ result })) })
  expect(shown(unseen)).toBe('only_author')
  // Elsewhere it is seen: its own badge says where it is not.
  expect(shown(unseen, seen)).toBe('completed')
})
