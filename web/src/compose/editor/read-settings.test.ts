import { expect, test } from 'vitest'
import { readSettings, splitList } from './read-settings.ts'

const schema = {
  properties: {
    audience: {
      title: 'Audience',
      description: 'Who may see it.',
      type: 'string',
      oneOf: [
        { const: 'all', title: 'Everyone' },
        { const: 'me', title: 'Only you' },
      ],
      default: 'all',
    },
    partners: { title: 'Partners', type: 'array', maxItems: 3, 'x-only-for': ['photo'] },
    depth: { title: 'Depth', type: 'object' },
  },
  'x-words': { de: { audience: { title: 'Publikum', description: 'Wer es sehen darf.', choices: { all: 'Alle' } } } },
}

test('a setting is shown in the language of the person, and in English where words are missing', () => {
  const [audience] = readSettings(schema, { format: 'text', language: 'de' })
  expect(audience).toEqual({
    name: 'audience',
    title: 'Publikum',
    description: 'Wer es sehen darf.',
    kind: 'choice',
    fallback: 'all',
    choices: [
      { value: 'all', label: 'Alle' },
      { value: 'me', label: 'Only you' },
    ],
  })
  expect(readSettings(schema, { format: 'text', language: 'en' })[0]?.title).toBe('Audience')
})

test('a setting of other formats and one of an unknown kind are left out, and a list of names is not', () => {
  const names = (format: 'text' | 'photo') => readSettings(schema, { format, language: 'en' }).map(({ name }) => name)
  expect(names('text')).toEqual(['audience'])
  expect(names('photo')).toEqual(['audience', 'partners'])
})

test('guarantee: words that may have spaces are divided by commas only, and names by either', () => {
  const listOf = (items: object) => {
    const properties = { words: { title: 'Words', type: 'array', items: { type: 'string', ...items } } }
    return readSettings({ properties }, { format: 'video', language: 'en' })[0]
  }
  expect(listOf({ 'x-has-spaces': true })).toMatchObject({ kind: 'list', hasSpaces: true })
  expect(listOf({})).toMatchObject({ kind: 'list', hasSpaces: false })
  expect(splitList('bells, old towers ,', true)).toEqual(['bells', 'old towers'])
  expect(splitList('@ada, bell  carl', false)).toEqual(['ada', 'bell', 'carl'])
})
