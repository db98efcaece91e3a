import { expect, test } from 'vitest'
import { carillon, x } from '../test-stack.ts'

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
