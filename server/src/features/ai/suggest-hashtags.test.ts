import { expect, test } from 'vitest'
import { cleanHashtags, hashtagKey } from './suggest-hashtags.ts'

/** Guarantee: a suggested hashtag is valid on the platform, not among those the user already has, and not repeated. */
const clean = (tags: unknown, existing: string[] = []) => cleanHashtags(tags, new Set(existing.map(hashtagKey)))

test('every tag has exactly one #, whatever the model wrote before it', () => {
  expect(clean(['bells', '#tower', '##nine', '＃spire', ' choir '])).toEqual(['#bells', '#tower', '#nine', '#spire', '#choir'])
})

test('the same tag in another spelling is the same tag', () => {
  expect(clean(['Bells', 'bells', '#BELLS', 'ｂｅｌｌｓ'])).toEqual(['#Bells'])
})

test.each(['bread', '#bread', 'BREAD', ' #Bread '])('%j is not suggested again', (existing) => {
  expect(clean(['Bread', 'butter'], [existing])).toEqual(['#butter'])
})

test('several words become one tag', () => {
  expect(clean(['fresh bread', 'ring-the-bells', 'baker’s dozen'])).toEqual(['#freshBread', '#ringTheBells', '#bakersDozen'])
})

test('scripts with marks and scripts without upper case are accepted', () => {
  expect(clean(['घंटी', '鐘', 'Glöckchen', 'klocka2026'])).toEqual(['#घंटी', '#鐘', '#Glöckchen', '#klocka2026'])
})

test.each([[''], ['#'], ['2026'], ['___'], ['be!!s'], ['🔔'], ['a'.repeat(51)], [7], [null]])('%j is not a hashtag', (word) => {
  expect(clean([word])).toEqual([])
})

test.each([undefined, null, 'bells', { 0: 'bells' }])('%j is not a list', (value) => {
  expect(clean(value)).toEqual([])
})
