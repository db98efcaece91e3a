import type { ChannelStatus, PostStatus } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { shownStatus } from './shown-status.ts'

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
