import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages } from './language.ts'

const folder = new URL('.', import.meta.url)
const filesOf = (language: string) => readdirSync(new URL(`${language}/`, folder)).filter((file) => file.endsWith('.json'))
const subjects = filesOf('en')
const translated = languages.filter((language) => language !== 'en')

function read(language: string, file: string): Map<string, string> {
  const words: unknown = JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8'))
  return new Map(flatten(words, ''))
}

function flatten(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as Record<string, unknown>).flatMap(([key, each]) =>
    flatten(each, path === '' ? key : `${path}.${key}`),
  )
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).toSorted()
const form = /_(?:zero|one|two|few|many|other)$/

/** The plurals of a file. A key such as `media_too_many` is none: nothing beside it ends in `_other`. */
const pluralsOf = (keys: readonly string[]) => keys.flatMap((key) => (key.endsWith('_other') ? key.slice(0, -6) : []))

/** The keys that a language needs for the English ones: a plural has every form that the language tells apart, and `zero` if English has it. */
function keysFor(language: string, english: readonly string[]): string[] {
  const plurals = pluralsOf(english)
  const isFixed = (key: string) => key.endsWith('_zero') || !plurals.includes(key.replace(form, ''))
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return [...english.filter(isFixed), ...plurals.flatMap((plural) => pluralCategories.map((each) => `${plural}_${each}`))]
}

test('guarantee: the languages that can be chosen are those that have a folder', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(languages.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
})

test.each(translated)('guarantee: %s has the same files as English', (language) => {
  expect(filesOf(language)).toEqual(subjects)
})

test.each(translated.flatMap((language) => subjects.map((file) => ({ language, file }))))(
  'guarantee: $language/$file has the keys and placeholders of English, and no empty text',
  ({ language, file }) => {
    const [english, words] = [read('en', file), read(language, file)]
    const keys = [...english.keys()]
    const wanted = new Set(keysFor(language, keys))
    const missing = [...wanted].filter((key) => !words.has(key)).map((key) => `add to ${language}/${file}: ${key}`)
    const unknown = [...words.keys()].filter((key) => !wanted.has(key)).map((key) => `remove from ${language}/${file}: ${key}`)
    expect([...missing, ...unknown]).toEqual([])
    expect([...english, ...words].filter(([, text]) => text.trim() === '')).toEqual([])
    // A plural form may leave the number out: "one post".
    const plurals = pluralsOf(keys)
    const fixed = keys.filter((key) => !plurals.includes(key.replace(form, '')))
    const listed = (from: Map<string, string>) => fixed.map((key) => [key, placeholders(from.get(key) ?? '')])
    expect(listed(words)).toEqual(listed(english))
  },
)
