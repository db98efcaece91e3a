import { expect, test } from 'vitest'
import { textOfHtml, toParagraphs } from './html.ts'

test('names and messages are read as text, and no entity brings in what cannot be stored', () => {
  expect(textOfHtml('<p>Bells &amp; &#8217;towers&#8217; &lt;3 &bells;</p>')).toMatchObject({
    shown: '\nBells & ’towers’ <3 &bells;',
  })
  const { shown: hostile } = textOfHtml('&#0; &#55357; &#999999; &#xd83d;')
  expect([hostile.includes('\0'), hostile.isWellFormed()]).toEqual([false, true])
})

test('a text becomes paragraphs that mean nothing but themselves', () => {
  expect(toParagraphs('<b> & [x]\nsee https://a.example/?a=1&b=2.\n\n\nend')).toEqual([
    '<p>&lt;b&gt; &amp; &#91;x&#93;<br>see <a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a>.</p>',
    '<p>end</p>',
  ])
})
