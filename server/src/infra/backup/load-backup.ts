import { listMigrations, migrate } from '../db/migrate.ts'
import { ensureGroupRoles } from '../logins/login.store.ts'
import { StartError } from '../problem/problem.ts'
import type { SecretKeys } from '../sealing/seal.ts'
import { type Manifest, hashFile, readLines, readManifest, tableFile } from './manifest.ts'
import { hasWorkspaces, loadTables } from './backup.store.ts'

type Options = { folder: string; ownerUrl: string; secretKeys: SecretKeys }

/**
 * Fills an empty database with a backup and stops sending. The tables are made by the migrations that the backup was made with; later ones
 * are applied afterwards.
 */
export async function loadBackup({ folder, ownerUrl, secretKeys }: Options): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await checkManifest(manifest, secretKeys)
  await checkFiles(folder, manifest)
  if (await hasWorkspaces(ownerUrl))
    throw new StartError(
      'The database of DATABASE_URL is not empty. Restore into a new database, and leave the old one as it is.',
    )
  await ensureGroupRoles(ownerUrl)
  await migrate(ownerUrl, undefined, manifest.migrations)
  const fenceReason = `it was restored from a backup of ${manifest.takenAt}`
  const tables = Object.keys(manifest.tables)
  await loadTables(ownerUrl, { tables, fenceReason }, async (loader) => {
    for (const table of tables) for await (const rows of readLines(tableFile(folder, table))) await loader.insert(table, rows)
  })
  await migrate(ownerUrl)
  return manifest
}

async function checkManifest({ migrations, keyIds, version }: Manifest, { keys }: SecretKeys): Promise<void> {
  const missing = keyIds.filter((id) => !keys.has(id))
  if (missing.length > 0)
    throw new StartError(
      `The backup has secrets that were encrypted with the key ${missing.map((id) => `"${id}"`).join(', ')}. Add it to ` +
        'CARILLON_SECRET_KEYS, as id:key, and try again.',
    )
  const known = await listMigrations()
  const unknown = migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new StartError(`The backup was made by a newer release, ${version}. Restore it with that release or a later one.`)
}

async function checkFiles(folder: string, { tables }: Manifest): Promise<void> {
  for (const [table, { sha256 }] of Object.entries(tables)) {
    const found = await hashFile(tableFile(folder, table)).catch(() => null)
    if (found !== sha256)
      throw new StartError(
        `The file of the table "${table}" in the backup is ${found === null ? 'missing' : 'damaged'}. Use another backup.`,
      )
  }
}
