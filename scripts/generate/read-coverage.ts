import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'

/** A statement of the interface, and the test files that cover it. */
export type CoveredRow = { id: string; text: string; files: string[] }
export type Coverage = { rows: CoveredRow[]; unknown: { id: string; file: string }[] }

const dataFiles = ['e2e/coverage/interface-rows.data.ts', 'e2e/coverage/decision-rows.data.ts']
const testFolder = 'e2e/acceptance'

// An id stands alone in quotes before its test: `row('D 1 401', …` or `'D 1 401': (it) => …`.
const declaration = /\brow\(\s*'([ID] \d[^']*)'|^\s*'([ID] \d[^']*)':/gm
const statement = /^ {2}'([ID] \d[^']*)':\s*'([^']*)',$/gm

/** Reads the ids from the text of the tests, so that no stack is needed to run them. */
export async function readCoverage(): Promise<Coverage> {
  const stated = (await Promise.all(dataFiles.map(readRoot))).flatMap((text) => [...text.matchAll(statement)])
  const rows = new Map(stated.map(([, id = '', text = '']): [string, CoveredRow] => [id, { id, text, files: [] }]))
  const unknown: Coverage['unknown'] = []
  for (const file of await testFiles()) {
    for (const id of declaredIn(await readRoot(file))) {
      const row = rows.get(id)
      if (!row) unknown.push({ id, file })
      else if (!row.files.includes(file)) row.files.push(file)
    }
  }
  return { rows: [...rows.values()], unknown }
}

function declaredIn(text: string): string[] {
  return [...text.matchAll(declaration)].map(([, inCall, asKey]) => inCall ?? asKey ?? '')
}

async function testFiles(): Promise<string[]> {
  const names = await readdir(join(root, testFolder), { recursive: true })
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted()
    .map((name) => `${testFolder}/${name}`)
}

function readRoot(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8')
}
