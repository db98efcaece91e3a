import type { PlatformInfo } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { emptyState } from '../state/compose-state.ts'
import { channelDraft } from '../state/channel-draft.ts'
import { costOf } from './cost-of.ts'

const prices = {
  checkedOn: '2026-11-17',
  source: 'https://x.example',
  post: 0.015,
  postWithLink: 0.2,
  altText: 0.005,
  figures: 0.005,
}
const x = {
  prices,
  can: { thread: true, firstComment: true, linkUrl: false },
  altText: { kinds: ['image'], max: 1000 },
  text: { max: 280 },
  linkWithMedia: 'text',
} as unknown as PlatformInfo

/** Guarantee: nobody pays for a choice without having been told before. */
test.each([
  ['Bells', {}, { dollars: 0.015, hasLink: false }],
  ['Bells: example.com/a', {}, { dollars: 0.2, hasLink: true }],
  ['Bells', { linkUrl: 'https://example.com' }, { dollars: 0.2, hasLink: true }],
  ['Bells', { firstComment: 'https://example.com' }, { dollars: 0.215, hasLink: true }],
])('what "%s" costs with %o', (text, more, expected) => {
  const state = emptyState({ zone: 'UTC', wall: null, accounts: ['x'] })
  const draft = channelDraft({ ...state, common: { ...state.common, text, ...more } }, 'x')
  expect(costOf(draft, x)).toEqual(expected)
  expect(costOf(draft, { ...x, prices: null })).toBeNull()
})
