import { manifests } from '@carillon/connectors/manifests'
import { countText } from '@carillon/core'
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
  const response = await fetch(`${simulator.url}/_control/count`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, texts: countingVectors }),
  })
  const { counts } = (await response.json()) as { counts: number[] }
  const wrong = countingVectors.flatMap((vector, at) => {
    const counted = countText(vector, text)
    return counted === counts[at] ? [] : [`${JSON.stringify(vector)} is ${counted}, the platform counts ${counts[at]}`]
  })
  expect(wrong).toEqual([])
})
