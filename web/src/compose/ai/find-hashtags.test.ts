import { expect, test } from 'vitest'
import { addHashtags, findHashtags } from './find-hashtags.ts'

test('hashtags are found as words of their own, once each', () => {
  expect(findHashtags('#bells at nine (#tower), not a#b or https://example.com/#top. #bells')).toEqual(['#bells', '#tower'])
})

test.each([
  ['', ['#bells'], '#bells'],
  ['At nine', ['#bells', '#tower'], 'At nine\n\n#bells #tower'],
  ['At nine\n\n#bells', ['#tower'], 'At nine\n\n#bells #tower'],
  ['At nine #bells', ['#tower'], 'At nine #bells\n\n#tower'],
  ['At nine #Bells', ['#bells'], 'At nine #Bells'],
])('hashtags follow the text (%j + %j)', (text, tags, expected) => {
  expect(addHashtags(text, tags)).toBe(expected)
})
