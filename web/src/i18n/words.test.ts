import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('.', import.meta.url)
const subjects = readdirSync(new URL('en/', folder))

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

test('guarantee: German has the same files as English', () => {
  expect(readdirSync(new URL('de/', folder))).toEqual(subjects)
})

test.each(subjects)('guarantee: %s has the same keys and placeholders in both languages, and no empty text', (file) => {
  const [en, de] = [read('en', file), read('de', file)]
  expect([...de.keys()].toSorted()).toEqual([...en.keys()].toSorted())
  expect([...en, ...de].filter(([, text]) => text.trim() === '')).toEqual([])
  // A plural form may leave the number out: "one post".
  const fixed = [...en].filter(([key]) => !/_(?:zero|one|other)$/.test(key))
  const listed = (language: Map<string, string>) => fixed.map(([key]) => [key, placeholders(language.get(key) ?? '')])
  expect(listed(de)).toEqual(listed(en))
})
