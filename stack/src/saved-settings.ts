import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StackPorts } from './choose-ports.ts'
import type { Tenant } from './tenants.ts'

/**
 * What must be the same when data of an earlier run are opened again: the key that seals secrets, the tenants with their API keys, and the
 * ports, because the engine has stored the address of each worker.
 */
export type SavedSettings = { secretKeys: string; tenants: Tenant[]; ports: Partial<StackPorts> }

const fileName = 'kept.json'

export async function readSavedSettings(dir: string): Promise<SavedSettings> {
  try {
    return JSON.parse(await readFile(join(dir, fileName), 'utf8'))
  } catch {
    return { secretKeys: `k1:${randomBytes(32).toString('base64')}`, tenants: [], ports: {} }
  }
}

export async function writeSavedSettings(dir: string, settings: SavedSettings): Promise<void> {
  await mkdir(dir, { recursive: true })
  // Only the owner may read the file: the key in it opens every secret in the database.
  await writeFile(join(dir, fileName), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
}
