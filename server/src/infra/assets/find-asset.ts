import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The path of a file or folder that is delivered with the program: `migrations`, `package.json`. In the source it is in `server/`, some
 * folders above this file; in a bundle it is beside the bundled file or above it. So it is looked for in this folder and in those above.
 */
export function findAsset(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, name)
    if (existsSync(path)) return path
    if (folder === dirname(folder)) throw new Error(`${name} is missing; this installation of Carillon is not complete`)
  }
}
