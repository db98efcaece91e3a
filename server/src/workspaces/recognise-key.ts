import type { Context } from '../context.ts'
import { isWellFormedKey, keyHash } from './api-key.ts'
import { findKeyRow, type KeyRow } from './api-key.store.ts'

/** A revoked key stops working on every node within this time; on the node that revoked it, at once. */
const rememberMs = 500
const rememberedMax = 20_000

type Remembered = { row: Promise<KeyRow | undefined>; untilMs: number }
const remembered = new Map<string, Remembered>()

export type KeyHolder = KeyRow

/** Who holds this key, and what they are in the workspace. A key with a wrong checksum never reaches the database. */
export async function findKeyHolder(ctx: Context, key: string, workspaceId: string | null): Promise<KeyHolder | undefined> {
  if (!isWellFormedKey(key)) return undefined
  const nowMs = ctx.nowMs()
  const name = `${key} ${workspaceId ?? ''}`
  let entry = remembered.get(name)
  if (!entry || entry.untilMs <= nowMs) {
    if (remembered.size >= rememberedMax) remembered.clear()
    entry = { row: findKeyRow(ctx.db.system, keyHash(key), workspaceId), untilMs: nowMs + rememberMs }
    remembered.set(name, entry)
    entry.row.catch(() => remembered.delete(name))
  }
  const row = await entry.row
  if (!row || (row.expiresAt && row.expiresAt.getTime() <= nowMs)) return undefined
  return row
}

/** After a key, a member or a plan changed. */
export function forgetKeys(): void {
  remembered.clear()
}
