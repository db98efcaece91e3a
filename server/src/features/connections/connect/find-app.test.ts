import { expect, test } from 'vitest'
import { readAddress } from './find-app.ts'

test.each([
  ['mastodon.social', 'https://mastodon.social'],
  [' https://mastodon.social/ ', 'https://mastodon.social/'],
  ['@ada@tower.example', 'https://tower.example'],
  ['http://127.0.0.1:4000/mastodon', 'http://127.0.0.1:4000/mastodon'],
])('accepts what users write as their server: %s', (given, address) => {
  expect(readAddress(given)).toBe(address)
})
