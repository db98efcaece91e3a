import { expect, test } from 'vitest'
import { linearGrowthMax, measureGrowth } from '../../test/measure-growth.ts'
import { textOfHtml } from '../kit/html.ts'
import { compareStatus } from './compare-status.ts'

const link = [
  '<a href="https://a.example/long/path">',
  '<span class="invisible">https://</span><span class="ellipsis">a.example/</span><span class="invisible">long/path</span></a>',
].join('')
const shortened = '<a rel="nofollow" href="https://a.example/x?a=1&amp;b=2">a.example/x…</a>'
const mention = '<span class="h-card"><a href="https://tower.example/@bell" class="u-url mention">@<span>bell</span></a></span>'
const hashtag = '<a href="https://a.example/tags/bells" class="mention hashtag" rel="tag">#<span>bells</span></a>'

/** Guarantee: a status is recognised in the server's HTML, and one with other words or links is not. */
test.for([
  ['Bells & <towers>', '<p>Bells &amp; &lt;towers&gt;</p>', 'same'],
  ['Two\n\nparagraphs\nand a line', '<p>Two</p><p>paragraphs<br />and a line</p>', 'same'],
  ['Hi @bell@tower.example, see https://a.example/long/path', `<p>Hi ${mention}, see ${link}</p>`, 'same'],
  ['#bells at https://a.example/x?a=1&b=2', `<p>${hashtag} at ${shortened}</p>`, 'same'],
  ['&lt; stays as typed', '<p>&amp;lt; stays as typed</p>', 'same'],
  ['New: https://a.example/other', `<p>New: ${link}</p>`, 'maybe'],
  ['New: https://a.example/other', `<p>New: ${shortened}</p>`, 'maybe'],
  ['Bells at 12', '<p>Bells at 13</p>', 'other'],
  ['Bells', '<p>Bells</p><p>and more', 'other'],
] as const)('%s / %s', ([sent, content, match]) => {
  expect(compareStatus(sent, content)).toBe(match)
})

/** Guarantee: a server that a person chose cannot stop the process with its HTML. */
test.for([
  '<',
  '<a ',
  '<a href="',
  '<a>',
  '</a>',
  '<p',
  '<>',
  '<p>',
  '>',
  '&amp',
  '&amp;',
  '@a',
  '@a.',
  'a@',
  ' ',
  '@',
  "<a href='x' ",
])('a megabyte of %s is read in linear time', { timeout: 60_000 }, (part) => {
  const content = part.repeat(Math.ceil(1_000_000 / part.length))
  for (const hostile of [content, `${content}>`]) {
    expect(compareStatus('Bells', hostile)).toBe('maybe')
    expect(measureGrowth(hostile, (text) => compareStatus('Bells', text))).toBeLessThan(linearGrowthMax)
    expect(measureGrowth(hostile.slice(0, 20_000), (text) => compareStatus('Bells', text))).toBeLessThan(linearGrowthMax)
    expect(measureGrowth(hostile, textOfHtml)).toBeLessThan(linearGrowthMax)
  }
})
