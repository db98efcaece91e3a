import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { chooseMutants } from './choose-mutants.ts'
import { findTitles, hasTest } from './find-titles.ts'
import { plantBug, StaleMutant } from './plant-bug.ts'
import { parseMutant, readMutants } from './read-mutants.ts'

const root = resolve(import.meta.dirname, '..')
const mutant = parseMutant(
  'guard-gone.json',
  JSON.stringify({
    title: 'Posts appear twice.',
    file: 'a.ts',
    find: ['if (b)', '  c()'],
    replace: 'c()',
    test: { file: 'a.test.ts', name: 'once' },
  }),
)

test('a text may be a list of lines', () => {
  expect(mutant).toMatchObject({ name: 'guard-gone', find: 'if (b)\n  c()', replace: 'c()' })
})

test.each([
  ['a field that is not known', { tests: 1 }],
  ['a text that is missing', { find: undefined }],
  ['a bug that changes nothing', { find: 'same', replace: 'same' }],
  ['no test', { test: {} }],
])('refused: %s', (_name, change) => {
  const good = { title: 't', file: 'a.ts', find: 'x', replace: 'y', test: { file: 'a.test.ts' } }
  expect(() => parseMutant('bad.json', JSON.stringify({ ...good, ...change }))).toThrow('bad.json')
})

test('guarantee: a mutant whose text does not occur exactly once is stale', () => {
  expect(plantBug('a\nif (b)\n  c()\n$&', mutant)).toBe('a\nc()\n$&')
  expect(() => plantBug('nothing', mutant)).toThrow(StaleMutant)
  expect(() => plantBug(`${mutant.find}${mutant.find}`, mutant)).toThrow('occurs 2 times')
})

test('a sample is fixed for a commit, has the wanted size, and reaches every mutant in time', () => {
  const all = Array.from({ length: 49 }, (_, n) => ({ ...mutant, name: `m${n}` }))
  const namesOf = (commit: string) => chooseMutants(all, { names: [], sample: 6, commit }).map(({ name }) => name)
  const commits = Array.from({ length: 49 }, (_, n) => n.toString(16).padStart(8, '0'))
  for (const commit of commits) expect(namesOf(commit)).toHaveLength(6)
  expect(namesOf('89abcdef0')).toEqual(namesOf('89abcdef1'))
  expect(new Set(commits.flatMap(namesOf)).size).toBe(49)
  expect(() => chooseMutants(all, { names: ['m1', 'x'], sample: null, commit: '0' })).toThrow('no mutant named x')
})

test('guarantee: a test that was renamed is noticed, and one of a table is found', () => {
  const source =
    "test('a post', run)\ntest.each([1])('takes %s of $name', run)\ntest(`a ${kind} is sent`, run)\nexpect('another')"
  const finds = (name: string) => findTitles(source).some((title) => title.test(name))
  expect(['a post', 'takes 3 of 4', 'a GIF is sent'].map(finds)).toEqual([true, true, true])
  expect(['a posting', 'another', 'takes 3', 'run'].map(finds)).toEqual([false, false, false, false])
})

/** A change of the code that makes a mutant stale fails here at once, not only in the run that plants it. */
test('guarantee: every mutant can be planted, and its test exists', async () => {
  const mutants = await readMutants(join(import.meta.dirname, 'bugs'))
  expect(mutants.length).toBeGreaterThanOrEqual(25)
  const problems: string[] = []
  for (const each of mutants) {
    const note = (error: Error) => void problems.push(error.message)
    await readFile(join(root, each.file), 'utf8')
      .then((source) => void plantBug(source, each))
      .catch(note)
    const { file, name } = each.test
    const isThere = name === undefined ? readFile(join(root, file)).then(() => true) : hasTest(join(root, file), name)
    await isThere.then((is) => is || problems.push(`${each.name}: ${file} has no test "${name}"`)).catch(note)
  }
  expect(problems).toEqual([])
})
