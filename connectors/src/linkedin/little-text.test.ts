import fc from 'fast-check'
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

const name = fc
  .string({ unit: fc.constantFrom(...'ab é_#[](){}<>|*~\\🔔'), minLength: 1, maxLength: 12 })
  .filter((each) => each.trim() !== '')
const organization = fc.integer({ min: 1, max: 99_999_999 }).map(String)
const mentions = fc.array(fc.record({ name, organization }), { maxLength: 3 })
const piece = fc.string({ unit: fc.constantFrom(...'aZ1 .,:/\n\\|{}@[]()<>#*_~é🔔'), maxLength: 20 })

/** Guarantee: whatever a text and the names in it contain, people read exactly that, and nothing that nobody named becomes a mention. */
test('any text with any mentions is read as it was written', () => {
  fc.assert(
    fc.property(mentions, fc.array(piece, { minLength: 1, maxLength: 4 }), fc.boolean(), (known, pieces, isJoined) => {
      const text = pieces.map((part, at) => part + (isJoined ? '@' : ' @') + (known[at]?.name ?? 'nobody') + ' ').join('')
      const written = toLittleText(text, known)
      expect(plainText(written)).toBe(text)
      // Every reserved character is escaped or belongs to a mention of a given page or to a hashtag.
      const named = known.map((each) => `](urn:li:organization:${each.organization})`)
      const rest = named.reduce((left, end) => left.replaceAll(end, ']'), written)
      expect(rest).not.toMatch(/(?<!\\)(?:\\\\)*[()<>*~]/)
    }),
  )
})

test('only whole names at the start of a word are mentions, the longest first', () => {
  const known = [
    { name: 'Bell', organization: '1' },
    { name: 'Bell Makers (UK)', organization: '2' },
  ]
  expect(toLittleText('By @Bell Makers (UK), @Bell.', known)).toBe(
    String.raw`By @[Bell Makers \(UK\)](urn:li:organization:2), @[Bell](urn:li:organization:1).`,
  )
  // After a lost answer, the post is found by the text that was written.
  const draft = { format: 'text', text: '@Bell', linkUrl: null } as const
  expect(comparePost(draft, { commentary: toLittleText('@Bell', known) })).toBe('same')
  expect(toLittleText('@Bells me@Bell @Tower', known)).toBe(String.raw`\@Bells me\@Bell \@Tower`)
})

const hostile = [
  '{hashtag|#|',
  String.raw`{hashtag|\#|a`,
  '\\',
  '{',
  '#',
  '#a',
  '#1',
  '1#a',
  '_',
  '{hashtag|#|a}',
  '@[',
  '@[a](',
  '@[a](urn:li:person:',
  '@\\[',
]

/** Guarantee: reading a platform's commentary, or writing a person's text, takes linear time. */
test.for(hostile)('a megabyte of %s is compared, and 100 kB are read and written, in linear time', (part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length))
  const draft = { format: 'text', text: 'Bells', linkUrl: null } as const
  expect(measureGrowth(text, (commentary) => comparePost(draft, { commentary }))).toBeLessThan(linearGrowthMax)
  for (const scan of [plainText, toLittleText]) expect(measureGrowth(text.slice(0, 100_000), scan)).toBeLessThan(linearGrowthMax)
})
