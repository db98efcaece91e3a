import { describe, expect, it } from 'vitest'
import { cellMax } from '../../infra/db/ids.ts'
import { cellOfKey, isWellFormedKey, newApiKey } from './api-key.ts'

const characters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

describe('API keys', () => {
  it.each([0, 1, 2, 512, cellMax])('one wrong character anywhere is noticed in a key of cell %i', (cell) => {
    for (let n = 0; n < 50; n++) {
      const key = newApiKey(cell)
      expect(oneCharacterWrong(key).filter(isWellFormedKey)).toEqual([])
    }
  })

  it('names the cell that created it, whichever it is', () => {
    for (let cell = 0; cell <= cellMax; cell++) expect(cellOfKey(newApiKey(cell))).toBe(cell)
  })
})

/** All keys that differ from this one in one character after `sk_`. */
function oneCharacterWrong(key: string): string[] {
  const wrong: string[] = []
  for (let at = 'sk_'.length; at < key.length; at++)
    for (const character of characters) if (character !== key[at]) wrong.push(key.slice(0, at) + character + key.slice(at + 1))
  return wrong
}
