import type { Context } from '../../context.ts'
import { isWellFormedKey, keyHash } from './api-key.ts'
import { findKeyRow, type KeyRow } from './api-key.store.ts'

/** A revoked key stops working on every node within this time; on the node that revoked it, at once. */
const cacheMs = 500
const entriesMax = 20_000

type Entry = { row: Promise<KeyRow | undefined>; untilMs: number }

function createKeyCache() {
  return { value: new Map<string, Entry>() }
}

/** The person who created this key, and their role in the workspace. A key with a wrong checksum causes no database query. */
export async function findKeyHolder(ctx: Context, key: string, workspaceId: string | null): Promise<KeyRow | undefined> {
  if (!isWellFormedKey(key)) return undefined
  const cache = ctx.resources.get(createKeyCache, ctx)
  const nowMs = ctx.nowMs()
  const name = `${key} ${workspaceId ?? ''}`
  let entry = cache.get(name)
  if (!entry || entry.untilMs <= nowMs) {
    if (cache.size >= entriesMax) cache.clear()
    entry = { row: findKeyRow(ctx.db.system, keyHash(key), workspaceId), untilMs: nowMs + cacheMs }
    cache.set(name, entry)
    entry.row.catch(() => cache.delete(name))
  }
  const row = await entry.row
  if (!row || (row.expiresAt && row.expiresAt.getTime() <= nowMs)) return undefined
  return row
}

/** Must be called after a key, a member or a plan changed. */
export function clearKeyCache(ctx: Context): void {
  ctx.resources.get(createKeyCache, ctx).clear()
}
