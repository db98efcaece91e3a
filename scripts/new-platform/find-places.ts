import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'

/** The two folders that a platform consists of. */
export function foldersOf(platform: string): Record<'connector' | 'simulator', string> {
  return { connector: `connectors/src/${platform}`, simulator: `simulator/src/platforms/${platform}` }
}

/** The places of a platform that are still as the recipe wrote them, with what is to be done there. */
export async function findPlaces(platform: string): Promise<string[]> {
  const mark = `@TODO(${platform}): `
  const found = Object.values(foldersOf(platform)).map(async (folder) => {
    const files = (await readdir(join(root, folder))).toSorted().map((name) => `${folder}/${name}`)
    return (await Promise.all(files.map((path) => findMarks(path, mark)))).flat()
  })
  return (await Promise.all(found)).flat()
}

async function findMarks(path: string, mark: string): Promise<string[]> {
  const lines = (await readFile(join(root, path), 'utf8')).split('\n')
  return lines.flatMap((line, at) => {
    const [, what] = line.split(mark)
    return what === undefined ? [] : [`${path}:${at + 1}: ${what.replace(/ -->.*$/, '')}`]
  })
}
