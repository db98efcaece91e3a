import { manifests } from '@carillon/connectors/manifests'
import type { Draft } from '@carillon/core'
import type { PlatformInfo } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { countFor, findExcess, linkTagsFor, sentDraft } from './channel-draft.ts'
import { emptyState } from './compose-state.ts'

const { bluesky, mastodon, tiktok } = manifests
const draft: Draft = { type: 'text', format: 'text', text: '', title: null, firstComment: null, linkUrl: null, medias: [] }

test('guarantee: what is too much begins where the platform stops counting, never inside a character or a link', () => {
  const excess = (text: string) => findExcess({ ...draft, text }, bluesky)
  expect(excess('x'.repeat(300))).toBeNull()
  expect(excess('x'.repeat(310))).toBe(300)
  const family = '👨‍👩‍👧'
  expect(excess(`${'x'.repeat(299)}${family}${family}`)).toBe(299 + family.length)
  expect(excess(`${'x'.repeat(290)} https://example.com/tower`)).toBe(291)
})

test('a link that follows the text takes room from it', () => {
  const linkUrl = 'https://example.com/tower'
  // An address counts 23 there, and two line breaks are before it.
  expect(findExcess({ ...draft, text: 'x'.repeat(500), linkUrl }, mastodon)).toBe(475)
  expect(findExcess({ ...draft, text: 'x'.repeat(475), linkUrl }, mastodon)).toBeNull()
})

test('guarantee: the count agrees with the check: photos allow more, and a content warning counts', () => {
  const max = tiktok.text.maxWithPhotos ?? 0
  expect(max).toBeGreaterThan(tiktok.text.max)
  expect(countFor({ ...draft, type: 'photo', format: 'photo', text: 'x'.repeat(max) }, tiktok)).toMatchObject({ max, left: 0 })
  expect(countFor({ ...draft, text: 'x'.repeat(490), settings: { spoiler: 'Loud bells' } }, mastodon).left).toBe(0)
})

test('guarantee: the composer counts and shows links with the parameters with which they are sent', () => {
  const linkRule = { domains: ['example.com'], source: '{platform}', medium: 'social', campaign: '{date}', content: '{account}' }
  const account = { slug: 'bluesky-tower', platform: bluesky as unknown as PlatformInfo, linkRule }
  const empty = emptyState({ zone: 'UTC', wall: '2027-03-28T09:00', accounts: ['bluesky-tower'] })
  const write = (text: string) => ({ ...empty, common: { ...empty.common, text } })
  const parameters = '?utm_source=bluesky&utm_medium=social&utm_campaign=2027-03-28&utm_content=bluesky-tower'
  const state = write('See https://example.com/a.')
  const sent = sentDraft(state, account)
  expect(sent.text).toBe(`See https://example.com/a${parameters}.`)
  expect(countFor(sent, bluesky).left).toBe(300 - sent.text.length)
  expect(sentDraft(state, { ...account, linkRule: null }).text).toBe('See https://example.com/a.')
  const long = write(`${'x'.repeat(270)} https://example.com/a`)
  expect(findExcess({ ...draft, text: long.common.text }, bluesky)).toBeNull()
  expect(findExcess({ ...draft, text: long.common.text }, bluesky, linkTagsFor(long, account))).toBe(271)
})
