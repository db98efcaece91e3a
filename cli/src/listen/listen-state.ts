import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { configFolder } from '../profiles/config-folder.ts'
import { readPrivateJson, writePrivateJson } from '../profiles/private-file.ts'
import type { Environment } from '../terminal.ts'
import type { Position } from './follow-events.ts'

/** What `listen` keeps between two runs: how far it is, and the secret that the receiver knows. */
type ListenState = { position: Position; secret: string }

type Target = { origin: string; workspaceId: string; forward: string; types: string | null }

/** One file for each workspace and receiver, because each receiver is at a place of its own. */
export function listenFile(env: Environment, { origin, workspaceId, forward, types }: Target): string {
  const name = createHash('sha256')
    .update(JSON.stringify([origin, workspaceId, forward, types]))
    .digest('hex')
    .slice(0, 16)
  return join(configFolder(env), 'listen', `${name}.json`)
}

export async function readListenState(file: string): Promise<ListenState | null> {
  return (await readPrivateJson(file)) as ListenState | null
}

export function writeListenState(file: string, state: ListenState): Promise<void> {
  return writePrivateJson(file, state)
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}
