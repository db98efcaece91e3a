import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programVersion } from '../assets/program-version.ts'
import { withSnapshot, type Snapshot } from './backup.store.ts'
import { type Manifest, currentFormat, manifestFile, mediaFile, tableFile, writeLines } from './manifest.ts'

type Backup = { folder: string; manifest: Manifest }

type Options = { systemUrl: string; to: string; keyIds: readonly string[] }

/**
 * Writes everything that PostgreSQL stores into a new folder, as it was at one moment, while the service runs. The folder gets its name only
 * when it is complete.
 */
export async function writeBackup({ systemUrl, to, keyIds }: Options): Promise<Backup> {
  return withSnapshot(systemUrl, async (snapshot) => {
    const folder = join(to, `carillon-${snapshot.takenAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`)
    const unfinished = `${folder}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 })
    const manifest = await writeFiles(unfinished, snapshot, keyIds)
    await writeFile(join(unfinished, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await rename(unfinished, folder)
    return { folder, manifest }
  })
}

async function writeFiles(folder: string, snapshot: Snapshot, keyIds: readonly string[]): Promise<Manifest> {
  const tables: Manifest['tables'] = {}
  for (const table of snapshot.tables) tables[table] = await writeLines(tableFile(folder, table), snapshot.rows(table))
  let bytes = 0
  const counted = async function* () {
    for await (const batch of snapshot.mediaFiles()) {
      for (const text of batch) bytes += (JSON.parse(text) as { sizeBytes: number | null }).sizeBytes ?? 0
      yield batch
    }
  }
  const { rows: files, sha256 } = await writeLines(mediaFile(folder), counted())
  const { migrations, takenAt } = snapshot
  return {
    format: currentFormat,
    version: programVersion(),
    takenAt: takenAt.toISOString(),
    migrations,
    keyIds: [...keyIds],
    tables,
    media: { files, bytes, sha256 },
  }
}
