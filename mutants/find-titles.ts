import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Tests that many files share are in a file that the test imports, or in one that this one imports. */
const importsMax = 2

/** A test begins with its title, and so does what the table of a test is passed to. */
const titles = /(?:\btest(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const imports = /from '(\.{1,2}\/[^']+\.ts)'/g
/** What vitest, or the file itself, puts something in the place of. */
const placeholder = /%[sdifjoO#]|\$\{[^}]*\}|\$[\w.]+/

type Titles = { own: RegExp[]; imported: string[] }

const cache = new Map<string, Promise<Titles>>()

/** Whether this file, or one that it imports, has a test that can be called so. Rejects if there is no such file. */
export async function hasTest(file: string, name: string, importsLeft = importsMax): Promise<boolean> {
  const { own, imported } = await (cache.get(file) ?? remember(file))
  if (own.some((title) => title.test(name))) return true
  if (importsLeft === 0) return false
  for (const each of imported) if (await hasTest(each, name, importsLeft - 1).catch(() => false)) return true
  return false
}

function remember(file: string): Promise<Titles> {
  const read = readFile(file, 'utf8').then((source) => ({
    own: findTitles(source),
    imported: [...source.matchAll(imports)].map(([, path = '']) => join(dirname(file), path)),
  }))
  cache.set(file, read)
  return read
}

/** The titles of tests in a source, with room for whatever is put in place of their placeholders. */
export function findTitles(source: string): RegExp[] {
  return [...source.matchAll(titles)].map(([, , title = '']) => {
    const parts = title.replaceAll(/\\(['"`\\])/g, '$1').split(placeholder)
    return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's')
  })
}
