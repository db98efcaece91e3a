import { countingVectors } from '@carillon/simulator'
import { expect, test } from 'vitest'
import { carillon, countOnPlatform, testStack } from '../test-stack.ts'

/** Of any text in the API. */
const textMax = 25_000

/** Guarantee: a text is as long as the platform says it is. The composer's counts are compared in the browser tests. */
test('200 texts of many scripts are counted as each platform counts them', { timeout: 120_000 }, async () => {
  // A platform that takes longer texts than the API never says how long one is.
  const asked = (await carillon.platforms.list()).filter(({ text }) => text.max < textMax / 2)
  const platforms = asked.map(({ platform }) => platform)
  const connections = platforms.map((platform) => testStack.connections.find((slug) => slug.startsWith(`${platform}-`)) ?? '')
  expect(platforms.length).toBeGreaterThan(7)
  expect(platforms).toEqual(expect.arrayContaining(['x', 'bluesky', 'threads', 'mastodon']))
  // Longer than any of them allows, so that each says how long the text is.
  const filler = ` ${'a'.repeat(Math.max(...asked.map(({ text }) => text.max)))}`
  expect(new Set(countingVectors).size).toBe(200)
  const wanted = await Promise.all(platforms.map((platform) => countOnPlatform(platform, countingVectors)))
  const wrong: string[] = []
  for (const [at, vector] of countingVectors.entries()) {
    const checked = await carillon.content.validate({ type: 'text', connections, text: vector + filler })
    for (const [position, platform] of platforms.entries()) {
      const found = checked.connections[position]?.violations.find(({ code }) => code === 'text_too_long')
      const counted = Number(found?.params['actual']) - filler.length
      const expected = wanted[position]?.[at]
      if (counted !== expected)
        wrong.push(`${platform}: ${JSON.stringify(vector)} is ${counted}, the platform counts ${expected}`)
    }
  }
  expect(wrong).toEqual([])
})
