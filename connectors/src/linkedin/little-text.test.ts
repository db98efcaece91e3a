import { expect, test } from 'vitest'
import { linearGrowthMax, measureGrowth } from '../../test/measure-growth.ts'
import { comparePost } from './find.ts'
import { plainText, toLittleText } from './little-text.ts'

/** Guarantee: people see exactly the text that was written, brackets included. */
test.for([
  ['Bells', 'Bells'],
  ['Bells (12) & [towers] <3', String.raw`Bells \(12\) & \[towers\] \<3`],
  ['by_hand *now* ~ {a|b} @tower c:\\d', String.raw`by\_hand \*now\* \~ \{a\|b\} \@tower c:\\d`],
  ['#bells at #old_towers.', String.raw`{hashtag|\#|bells} at {hashtag|\#|old\_towers}.`],
  ['No. #1, C# and https://a.example/b#c', String.raw`No. \#1, C\# and https://a.example/b\#c`],
] as const)('%s', ([text, written]) => {
  expect(toLittleText(text)).toBe(written)
  expect(plainText(written)).toBe(text)
})

const hostile = ['{hashtag|#|', String.raw`{hashtag|\#|a`, '\\', '{', '#', '#a', '#1', '1#a', '_', '{hashtag|#|a}']

/** Guarantee: reading a platform's commentary, or writing a person's text, takes linear time. */
test.for(hostile)('a megabyte of %s is compared, and 100 kB are read and written, in linear time', (part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length))
  const draft = { format: 'text', text: 'Bells', linkUrl: null } as const
  expect(measureGrowth(text, (commentary) => comparePost(draft, { commentary }))).toBeLessThan(linearGrowthMax)
  for (const scan of [plainText, toLittleText]) expect(measureGrowth(text.slice(0, 100_000), scan)).toBeLessThan(linearGrowthMax)
})
