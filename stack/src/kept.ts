import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StackPorts } from './ports.ts'
import type { Tenant } from './tenants.ts'

/**
 * What must be the same when kept data are opened again: the key that seals secrets, who may come in, and the ports, because the engine
 * remembers at which address the worker of a run was.
 */
export type Kept = { secretKeys: string; tenants: Tenant[]; ports: Partial<StackPorts> }

export async function readKept(dir: string): Promise<Kept> {
  try {
    return JSON.parse(await readFile(join(dir, 'kept.json'), 'utf8'))
  } catch {
    return { secretKeys: `k1:${randomBytes(32).toString('base64')}`, tenants: [], ports: {} }
  }
}

export async function writeKept(dir: string, kept: Kept): Promise<void> {
  await mkdir(dir, { recursive: true })
  // A key to everything in the database: for the owner's eyes only.
  await writeFile(join(dir, 'kept.json'), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
}
