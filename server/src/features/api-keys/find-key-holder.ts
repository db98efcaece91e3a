import type { Context } from '../../context.ts'
import { isWellFormedKey, keyHash } from './api-key.ts'
import { findKeyRow, findKeyRowById, touchApiKey, type KeyRow } from './api-key.store.ts'

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
  noteUse(ctx, key, nowMs)
  return row
}

/** The same for work that was left behind: the key as it is now, or undefined if it was revoked or has expired. */
export async function findKeyHolderById(ctx: Context, id: string, workspaceId: string): Promise<KeyRow | undefined> {
  const row = await findKeyRowById(ctx.db.system, id, workspaceId)
  return !row || (row.expiresAt && row.expiresAt.getTime() <= ctx.nowMs()) ? undefined : row
}

/** How exactly the last use of a key is known. */
const useMs = 60_000

function createKeyUses() {
  return { value: new Map<string, number>() }
}

/** Stores the time of use, at most once a minute for each key, and without keeping the request waiting. */
function noteUse(ctx: Context, key: string, nowMs: number): void {
  const uses = ctx.resources.get(createKeyUses, ctx)
  if (nowMs - (uses.get(key) ?? 0) < useMs) return
  if (uses.size >= entriesMax) uses.clear()
  uses.set(key, nowMs)
  const use = { hash: keyHash(key), at: new Date(nowMs), notSince: new Date(nowMs - useMs) }
  touchApiKey(ctx.db.system, use).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'the time at which an API key was used could not be stored'),
  )
}

/** Must be called after a key, a member or a plan changed. */
export function clearKeyCache(ctx: Context): void {
  ctx.resources.get(createKeyCache, ctx).clear()
}
