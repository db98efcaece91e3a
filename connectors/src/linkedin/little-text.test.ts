import { expect, test } from 'vitest'
import { comparableText, toLittleText } from './little-text.ts'

/** Guarantee: people see exactly the text that was written, brackets included. */
test.for([
  ['Bells', 'Bells'],
  ['Bells (12) & [towers] <3', String.raw`Bells \(12\) & \[towers\] \<3`],
  ['by_hand *now* ~ {a|b} @tower c:\\d', String.raw`by\_hand \*now\* \~ \{a\|b\} \@tower c:\\d`],
  ['#bells at #old_towers.', String.raw`{hashtag|\#|bells} at {hashtag|\#|old\_towers}.`],
  ['No. #1, C# and https://a.example/b#c', String.raw`No. \#1, C\# and https://a.example/b\#c`],
] as const)('%s', ([text, written]) => {
  expect(toLittleText(text)).toBe(written)
  expect(comparableText(written)).toBe(text)
})
