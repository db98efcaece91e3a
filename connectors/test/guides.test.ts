import { platforms } from '@carillon/contract'
import { expect, test } from 'vitest'
import { guides } from '../src/guides.gen.ts'
import { connectors } from '../src/index.ts'
import type { Words } from '../src/kit/guide.ts'

/** Guarantee: whoever follows a guide to its end has entered everything that connecting an account needs. */
test.each(platforms)('the guide of %s leads through all addresses and permissions that its connector needs', async (platform) => {
  const { guide } = await guides[platform]()
  const { auth, readNotice, checkApp } = connectors[platform]
  const needsApp = auth.kind === 'oauth2' && !auth.register
  const shown = new Set([...guide.steps, ...(guide.review?.steps ?? [])].flatMap(({ values = [] }) => values))
  expect([guide.app !== null, checkApp !== undefined]).toEqual([needsApp, needsApp])
  expect([shown.has('redirectUrl'), shown.has('scopes')]).toEqual([needsApp, auth.kind === 'oauth2'])
  expect(shown.has('deauthorizeUrl') && shown.has('deletionRequestUrl')).toBe(readNotice !== undefined)
  const canBeVetted = auth.kind === 'oauth2' && auth.vettedScopes !== undefined
  expect([shown.has('vettedScopes'), guide.app?.vetted !== undefined]).toEqual([canBeVetted, canBeVetted])
  expect(guide.steps.length).toBeGreaterThan(0)
  expect(guide.sources.length).toBeGreaterThan(0)
})

test.each(platforms)('the words of %s are there in both languages, with the same names of a console', async (platform) => {
  const { guide } = await guides[platform]()
  const words = collect(guide)
  expect(words.length).toBeGreaterThan(8)
  for (const { en, de } of words) {
    expect([en.trim(), de.trim()]).toEqual([en, de])
    expect(de.length).toBeGreaterThan(0)
    expect(quotedIn(de)).toEqual(quotedIn(en))
  }
})

const quotedIn = (text: string) => [...text.matchAll(/\*([^*]+)\*|`([^`]+)`/g)].map(([all]) => all).toSorted()

function collect(value: unknown): Words[] {
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return []
  if ('en' in value && 'de' in value) return [value as Words]
  return Object.values(value).flatMap(collect)
}

const copied = [
  { platform: 'x', id: 'a0ZTVUpXbGVoWUZ5:1:ci'.replaceAll(':', 'O'), secret: 'kYyB3c_x-9' },
  { platform: 'linkedin', id: '86abcd1234efgh', secret: 'WPL_AP1.Ab12.Cd34==' },
  { platform: 'instagram', id: '1234567890123456', secret: '0123456789abcdef0123456789abcdef' },
  { platform: 'threads', id: '1234567890123456', secret: '0123456789abcdef0123456789abcdef' },
  { platform: 'tiktok', id: 'awab12cd34ef56gh', secret: 'AbCdEf0123456789' },
] as const

test.each(copied)('what the console of $platform shows is not called a mistake, and the usual mistakes are', async (right) => {
  const { app } = (await guides[right.platform]()).guide
  const isMistake = (field: 'id' | 'secret', text: string) => app?.[field].mistakes.some(({ pattern }) => pattern.test(text))
  expect([isMistake('id', right.id), isMistake('secret', right.secret)]).toEqual([false, false])
  const wrong = { x: 'abcdefghijklmnopqrstuvwxy', linkedin: 'WPL_AP1.Ab', instagram: 'id', threads: 'id', tiktok: '7123456789' }
  expect(isMistake('id', wrong[right.platform])).toBe(true)
})
