import { describe, expect, test } from 'vitest'
import { foldText, isSameText } from './same-text.ts'

function isSame(one: string, other: string): boolean {
  const [a, b] = [foldText(one), foldText(other)]
  return a !== null && b !== null && isSameText(a, b)
}

const sentence = 'Our bells ring again from Monday, and everybody is invited to listen'

/** Guarantee: a text that a reader would call the same is recognised, and one with other news is not. */
describe('isSameText', () => {
  test.each([
    ['capitals', sentence, sentence.toUpperCase()],
    ['spaces and line breaks', sentence, `  ${sentence.replaceAll(' ', ' \n ')} `],
    ['punctuation', sentence, `${sentence.replace(',', ' –')}!!!`],
    ['another form of the same letters', 'Café am Dom, täglich geöffnet', 'Café am Dom, täglich geöffnet'],
    ['an emoji more', sentence, `${sentence} 🔔`],
    ['an address with another suffix', `${sentence} https://tower.example/a?utm=1`, `${sentence} https://tower.example/a?utm=2`],
    ['one changed letter', sentence, sentence.replace('everybody', 'everybady')],
    ['one doubled letter', sentence, sentence.replace('bells', 'bellls')],
    ['emoji only', '🔔🔔', ' 🔔🔔 '],
  ])('is the same: %s', (_what, one, other) => {
    expect(isSame(one, other)).toBe(true)
  })

  test.each([
    ['another number', 'Day 12 of our hundred days of ringing bells', 'Day 13 of our hundred days of ringing bells'],
    ['another sentence', sentence, 'The tower is closed for repairs until the end of the month'],
    ['a short text with another address', 'New article: https://tower.example/one', 'New article: https://tower.example/two'],
    ['one word of a short text', 'Good morning', 'Good evening'],
    ['twice as long', sentence, `${sentence}. ${sentence}`],
  ])('is another: %s', (_what, one, other) => {
    expect(isSame(one, other)).toBe(false)
  })

  test('an empty text is not compared', () => {
    expect(foldText(' \n ')).toBeNull()
  })
})
