import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The path of something that is delivered with the program, by the names that it may have, or null. It is looked for in the folder of this
 * file and in those above: that works in the source tree and in a bundle, where this code is part of a file in another folder.
 */
export function findUpwards(names: readonly string[]): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (folder === dirname(folder)) return null
  }
}
