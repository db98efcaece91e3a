import { expect, test } from 'vitest'
import { textOfHtml, comparableText } from './find.ts'

const link = [
  '<a href="https://a.example/long/path">',
  '<span class="invisible">https://</span><span class="ellipsis">a.example/</span><span class="invisible">long/path</span></a>',
].join('')

/** Guarantee: a status is recognised in the server's HTML, and a different one is not. */
test.for([
  ['Bells & <towers>', '<p>Bells &amp; &lt;towers&gt;</p>'],
  ['Two\n\nparagraphs\nand a line', '<p>Two</p><p>paragraphs<br />and a line</p>'],
  [
    'Hi @bell@tower.example, see https://a.example/long/path',
    `<p>Hi <span class="h-card"><a href="#">@<span>bell</span></a></span>, see ${link}</p>`,
  ],
  ['&lt; stays as typed', '<p>&amp;lt; stays as typed</p>'],
] as const)('%s', ([sent, content]) => {
  expect(comparableText(textOfHtml(content))).toBe(comparableText(sent))
})

test('different texts differ', () => {
  expect(comparableText('Bells at 12')).not.toBe(comparableText('Bells at 13'))
})
