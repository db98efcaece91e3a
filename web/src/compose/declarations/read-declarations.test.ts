import { expect, test } from 'vitest'
import { splitLinks } from './consent.tsx'
import { findSentence, readDeclarations } from './read-declarations.ts'

const schema = {
  'x-declarations': {
    en: {
      labels: [{ when: 'paid', text: 'Labeled' }],
      consent: [{ when: 'paid', text: 'Both' }, { when: null, text: 'One' }, { text: 7 }],
      afterwards: 'Later',
      excluded: { paid: 'Not private', other: 3 },
    },
  },
}

/** Guarantee: what a platform wants said is said in the language of the page, or else in English, and never in another place. */
test('declarations are read from the schema', () => {
  const read = readDeclarations(schema, 'de')
  expect(read).toMatchObject({
    labels: [{ when: 'paid', text: 'Labeled' }],
    afterwards: 'Later',
    excluded: { paid: 'Not private' },
  })
  expect(findSentence(read.labels, {})).toBeNull()
  expect(findSentence(read.labels, { paid: true })).toBe('Labeled')
  expect(findSentence(read.consent, { paid: true })).toBe('Both')
  expect(findSentence(read.consent, { paid: false })).toBe('One')
  expect(readDeclarations({}, 'en').consent).toEqual([])
})

test('only addresses of the web become links', () => {
  expect(splitLinks('You agree to the [Policy](https://example.com/a) and [more](https://example.com/b).')).toEqual([
    { text: 'You agree to the ' },
    { text: 'Policy', href: 'https://example.com/a' },
    { text: ' and ' },
    { text: 'more', href: 'https://example.com/b' },
    { text: '.' },
  ])
  expect(splitLinks('[x](javascript:alert(1))')).toEqual([{ text: '[x](javascript:alert(1))' }])
})
