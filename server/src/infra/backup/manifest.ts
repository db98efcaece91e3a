import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../problem/start-error.ts'

export const manifestFile = 'manifest.json'
const format = 1

/** What a backup contains and what it needs. It has the ids of the secret keys and never the keys. */
export type Manifest = {
  format: typeof format
  version: string
  /** The time of the snapshot: everything stored before it is in the backup. */
  takenAt: string
  migrations: string[]
  keyIds: string[]
  tables: Record<string, { rows: number; sha256: string }>
  media: { files: number; bytes: number; sha256: string }
}

export const currentFormat: Manifest['format'] = format

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    throw new StartError(
      `There is no backup in ${folder}: it has no ${manifestFile}. Give the folder that "carillon backup" printed.`,
      {
        cause: error,
      },
    )
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== format)
    throw new StartError(`The backup in ${folder} has the format ${String(manifest.format)}. Use the release that made it.`)
  return manifest
}

export function tableFile(folder: string, table: string): string {
  return join(folder, 'tables', `${table}.gz`)
}

export function mediaFile(folder: string): string {
  return join(folder, 'media.gz')
}
