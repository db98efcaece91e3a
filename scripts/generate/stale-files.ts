import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import type { FileGenerator } from './file-generator.ts'

/** A file whose content on disk is not what its generator makes. With `text: null` it must be removed. */
export type StaleFile = { path: string; state: 'missing' | 'stale' | 'left over'; text: string | null }

export async function findStale(generator: FileGenerator): Promise<StaleFile[]> {
  const files = await generator.make()
  const found = await Promise.all(
    files.map(async ({ path, text }): Promise<StaleFile[]> => {
      const present = await readFile(join(root, path), 'utf8').catch(() => null)
      if (present === text) return []
      return [{ path, state: present === null ? 'missing' : 'stale', text }]
    }),
  )
  const made = new Set(files.map(({ path }) => path))
  return [...found.flat(), ...(await findLeftOver(generator, made))]
}

async function findLeftOver({ ownsFolder }: FileGenerator, made: ReadonlySet<string>): Promise<StaleFile[]> {
  if (!ownsFolder) return []
  const names = await readdir(join(root, ownsFolder)).catch(() => [])
  return names
    .map((name) => `${ownsFolder}/${name}`)
    .filter((path) => !made.has(path))
    .map((path) => ({ path, state: 'left over', text: null }))
}

export async function writeStale(stale: readonly StaleFile[]): Promise<void> {
  for (const { path, text } of stale) {
    const file = join(root, path)
    if (text === null) {
      await rm(file, { recursive: true })
      continue
    }
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
