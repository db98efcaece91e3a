import { expect, test } from 'vitest'
import type { ChannelState } from './channel-state.ts'
import { finalStatus } from './final-status.ts'

/** Guarantee: a post is called completed only if every one of its channels was published. */
test.each<[ChannelState[], ReturnType<typeof finalStatus>]>([
  [['published'], 'completed'],
  [['published', 'published'], 'completed'],
  [['published', 'failed'], 'partial_failure'],
  [['published', 'unconfirmed'], 'partial_failure'],
  [['published', 'canceled'], 'partial_failure'],
  [['failed', 'failed'], 'failed'],
  [['unconfirmed'], 'failed'],
  [['canceled'], 'failed'],
  [['published', 'scheduled'], null],
  [['failed', 'submitting'], null],
  [['published', 'confirming'], null],
  [[], null],
])('%j is %s', (channels, status) => {
  expect(finalStatus(channels)).toBe(status)
})
