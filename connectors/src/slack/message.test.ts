import { expect, test } from 'vitest'
import { escapeText, plainText } from './message.ts'

test.each([
  'Bells & <whistles>',
  '&lt; is how HTML writes it',
  '&amp;amp;',
  'a > b && c < d',
  '<https://tower.example|not a link>',
  '<!channel>',
])('guarantee: %j is the same text after Slack has stored it, so that a lost message is recognised', (text) =>
  expect(plainText(escapeText(text))).toBe(text),
)

test('guarantee: nothing that a person wrote has a meaning for Slack', () => {
  expect(escapeText('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;')
})
