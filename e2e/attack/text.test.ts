import { createCarillon } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { newAddress } from '../support/browser.ts'
import { connectMany, createPerson } from '../support/server-env.ts'
import { carillon, testStack, x } from '../test-stack.ts'

test('a text of 25,000 characters in any script is checked in well under a second', async () => {
  const slow: string[] = []
  for (const unit of ['بب.', 'ـ', 'あ.', 'ก่.', 'ё-', '@a', '#', '<', '(', '\u0301', '👩‍👩‍👧', 'https://a.', 'é.com', '中国.']) {
    const text = unit.repeat(Math.floor(25_000 / unit.length))
    const begin = performance.now()
    await carillon.content.validate({ type: 'text', connections: [x], text, firstComment: text })
    const ms = performance.now() - begin
    console.log(`${JSON.stringify(unit)}: ${Math.round(ms)} ms`)
    if (ms > 1000) slow.push(`${JSON.stringify(unit)}: ${Math.round(ms)} ms`)
  }
  expect(slow).toEqual([])
})

/** Attack: the text is counted for every account of the post. */
test('a hostile text for fifty accounts is checked in well under a second', async () => {
  const { workspaceId, apiKey } = await createPerson(newAddress('crowd'))
  const connections = await connectMany(workspaceId, 'x', 50)
  const client = createCarillon({ baseUrl: testStack.baseUrl, apiKey, workspaceId })
  const slow: string[] = []
  for (const unit of ['بب.', '#', 'https://a.', 'é.com ', '@a']) {
    const text = unit.repeat(Math.floor(25_000 / unit.length))
    const begin = performance.now()
    const checked = await client.content.validate({ type: 'text', connections, text })
    const ms = Math.round(performance.now() - begin)
    console.log(`${JSON.stringify(unit)} for ${checked.connections.length} accounts: ${ms} ms`)
    expect(checked.connections).toHaveLength(50)
    if (ms > 1000) slow.push(`${JSON.stringify(unit)}: ${ms} ms`)
  }
  expect(slow).toEqual([])
})
