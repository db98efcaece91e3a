import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { platforms } from '../../contract/src/platforms.ts'
import { root } from '../../stack/services/folders.ts'
import { foldersOf } from './find-places.ts'

type NewPlatform = { name: string; title: string; day: string }

const listPath = 'contract/src/platforms.ts'
const columnsMax = 130

/** Writes both folders from the templates beside this file, and the word in the contract. Everything else is generated from these. */
export async function writePlatform({ name, title, day }: NewPlatform): Promise<void> {
  const fill = (text: string) => text.replaceAll('__platform__', name).replaceAll('__Name__', title).replaceAll('__day__', day)
  for (const [kind, folder] of Object.entries(foldersOf(name))) {
    const templates = new URL(`./${kind}/`, import.meta.url)
    await mkdir(join(root, folder))
    for (const file of await readdir(templates)) {
      const text = await readFile(new URL(file, templates), 'utf8')
      // A template has one more ending, so that no tool takes it for code.
      await writeFile(join(root, folder, fill(file).replace(/\.txt$/, '')), fill(text))
    }
  }
  const list = await readFile(join(root, listPath), 'utf8')
  await writeFile(
    join(root, listPath),
    list.replace(/export const platforms = \[[^\]]*\] as const/, declare([...platforms, name])),
  )
}

/** As the formatter writes it. */
function declare(names: readonly string[]): string {
  const sorted = names.toSorted().map((each) => `'${each}'`)
  const line = `export const platforms = [${sorted.join(', ')}] as const`
  return line.length <= columnsMax
    ? line
    : `export const platforms = [\n${sorted.map((each) => `  ${each},\n`).join('')}] as const`
}
