import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

export type Documents = { texts: readonly { path: string; text: string }[]; pictures: readonly string[] }

/** All pages below a folder in alphabetical order, a folder's README first, and the pictures that they show. */
export function readDocuments(folder: string): Documents {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'))
  const texts = paths
    .filter((path) => path.endsWith('.md'))
    .toSorted((one, other) => sortKey(one).localeCompare(sortKey(other), 'en'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return { texts, pictures: paths.filter((path) => /\.(?:png|jpg|svg|webp)$/.test(path)) }
}

function sortKey(path: string): string {
  return path.replace(/README\.md$/, '')
}
