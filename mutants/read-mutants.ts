import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A bug to plant, and the test that must notice it. */
export type Mutant = {
  /** The name of its file, without `.json`. */
  name: string
  /** What the bug would do to a user. */
  title: string
  /** The file that gets the bug, relative to the root of the repository. */
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  test: NamedTest
}

export type NamedTest = {
  /** A vitest file. */
  file: string
  /** The title of one test in it. Without a title any failing test of the file counts. */
  name?: string
}

/** Reads one JSON file per mutant, sorted by name. */
export async function readMutants(folder: string): Promise<Mutant[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()
  return Promise.all(files.map(async (file) => parseMutant(file, await readFile(join(folder, file), 'utf8'))))
}

/** Text of several lines may be written as a list of lines. */
export function parseMutant(file: string, json: string): Mutant {
  const fail = (problem: string): never => {
    throw new Error(`${file}: ${problem}`)
  }
  const record = asRecord(JSON.parse(json)) ?? fail('must be an object')
  const unknown = Object.keys(record).filter((key) => !['title', 'file', 'find', 'replace', 'test'].includes(key))
  if (unknown.length > 0) fail(`has unknown fields: ${unknown.join(', ')}`)
  const textOf = (key: string): string => {
    const value = record[key]
    const text = Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('\n') : value
    return typeof text === 'string' ? text : fail(`"${key}" must be a text or a list of lines`)
  }
  const test = asRecord(record['test']) ?? fail('"test" must be an object')
  const { file: testFile, name } = test
  if (typeof testFile !== 'string') return fail('"test" must name a file')
  if (name !== undefined && typeof name !== 'string') return fail('the name of the test must be a text')
  const mutant = {
    name: basename(file, '.json'),
    title: textOf('title'),
    file: textOf('file'),
    find: textOf('find'),
    replace: textOf('replace'),
    test: { file: testFile, ...(name !== undefined && { name }) },
  }
  if (mutant.find === '' || mutant.find === mutant.replace) fail('"find" must differ from "replace" and must not be empty')
  return mutant
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}
