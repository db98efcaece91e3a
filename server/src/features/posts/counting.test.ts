import type { TextRules } from '@carillon/contract'
import { manifests } from '@carillon/connectors/manifests'
import { countText, resolveLinkTags, tagLinks } from '@carillon/core'
import { countingVectors, startSimulator } from '@carillon/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'

let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

/**
 * Guarantee: a text is as long for Carillon as its platform says, on every platform that there is. The tests from outside compare the API and the
 * composer too; the API does not say how long a text is that is longer than any text may be, so not for platforms that take such texts.
 */
test.each(Object.values(manifests))('200 texts of many scripts are counted as $name counts them', async ({ platform, text }) => {
  expect(new Set(countingVectors).size).toBe(200)
  expect(await listWrongCounts(platform, text, countingVectors)).toEqual([])
})

/** Guarantee: a link with the parameters of the workspace is as long for Carillon as its platform says, whatever stands around it. */
test.each(Object.values(manifests))('links with parameters are counted as $name counts them', async ({ platform, text }) => {
  const rule = { domains: ['example.com'], source: '{platform}', medium: 'social', campaign: '{title}' }
  const values = { platform, account: `${platform}-tower`, date: '2026-11-19', title: 'Größe & 東京' }
  const tags = resolveLinkTags(rule, values, { text })
  const tagged = countingVectors.map((vector) => tagLinks(`${vector} https://example.com/bells?a=b#c ${vector}`, tags))
  expect(tagged.every((each) => each.includes('utm_source'))).toBe(true)
  expect(await listWrongCounts(platform, text, tagged)).toEqual([])
})

async function listWrongCounts(platform: string, rules: TextRules, texts: readonly string[]): Promise<string[]> {
  const response = await fetch(`${simulator.url}/_control/count`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, texts }),
  })
  const { counts } = (await response.json()) as { counts: number[] }
  return texts.flatMap((text, at) => {
    const counted = countText(text, rules)
    return counted === counts[at] ? [] : [`${JSON.stringify(text)} is ${counted}, the platform counts ${counts[at]}`]
  })
}
