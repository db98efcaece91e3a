import { expect, test } from 'vitest'
import { readSettings } from './read-settings.ts'

const accounts = [
  { slug: 'tower', platform: 'mastodon' },
  { slug: 'tower.news', platform: 'mastodon' },
]

test('guarantee: a setting goes to the account that is named, also where its slug begins like another one', () => {
  expect(readSettings(['tower.news.visibility=unlisted'], accounts)).toEqual({ 'tower.news': { visibility: 'unlisted' } })
  expect(readSettings(['tower.visibility=private'], accounts)).toEqual({ tower: { visibility: 'private' } })
})

test('a platform stands for each chosen account on it, and a text is a text whatever it looks like', () => {
  expect(readSettings(['mastodon.sensitive=true', 'tower.text=12'], accounts)).toEqual({
    tower: { sensitive: true, text: '12' },
    'tower.news': { sensitive: true },
  })
  expect(() => readSettings(['bluesky.x=1'], accounts)).toThrow('--option bluesky.x=1')
})
