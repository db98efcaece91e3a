import { rm } from 'node:fs/promises'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import { EgressError } from '../../../infra/egress/egress-error.ts'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import { createFairQueue } from '../../../infra/queue/create-fair-queue.ts'
import { findAvatar, saveAvatar, type Avatar } from '../../connections/find-avatar.ts'
import { decodeSlots } from '../decode/run-decoder.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { insertRemovals } from '../removal.store.ts'
import { receiveFile } from '../upload/receive-file.ts'

const dayMs = 86_400_000
/** A copy is used for this long. Its file is removed a day later, when no answer refers to it any more. */
const freshMs = 6 * dayMs
const keptMs = 7 * dayMs
/** An address without a picture is not asked again for this long. */
const missingMs = 3_600_000
/** One that did not answer may do so soon; until then a page does not wait for it once more. */
const unansweredMs = 60_000
const timeoutMs = 10_000
const bytesMax = 5 * 1024 * 1024

type ConnectionKey = { workspaceId: string; id: string }

function createPendingAvatars() {
  return { value: new Map<string, Promise<string | null>>() }
}

/** One slot is never used for avatars: a person who uploads a file does not wait until all accounts have their picture. */
function createAvatarQueue() {
  return { value: createFairQueue({ slots: decodeSlots - 1 }) }
}

/**
 * The storage key of our copy of an account's picture. Browsers never load it from the platform: that would tell the platform who looks at
 * the page. The copy is drawn by our own decoder, so nothing of the foreign file is sent on.
 */
export async function loadAvatar(ctx: Context, connection: ConnectionKey): Promise<string> {
  const avatar = await ctx.db.readOnly(connection.workspaceId, (tx) => findAvatar(tx, connection))
  if (!avatar) throw problem('connection_not_found')
  const known = usableKey(avatar, ctx.nowMs())
  const key = known === undefined ? await fetchOnce(ctx, connection, avatar) : known
  if (key === null) throw problem('media_not_found', { message: 'This account has no picture.' })
  return key
}

/** Undefined: there is no current copy. Null: there is none, and asking again would not help now. */
function usableKey({ avatarUrl, key, source, at }: Avatar, nowMs: number): string | null | undefined {
  if (avatarUrl === null) return null
  const ageMs = at === null || source !== avatarUrl ? Infinity : nowMs - at.getTime()
  if (ageMs < (key === null ? missingMs : freshMs)) return key
  return undefined
}

/** A page asks for the same picture many times at once; the platform is asked once. */
async function fetchOnce(ctx: Context, connection: ConnectionKey, { avatarUrl }: Avatar): Promise<string | null> {
  if (avatarUrl === null) return null
  const pending = ctx.resources.get(createPendingAvatars, ctx)
  const name = `${connection.workspaceId}/${connection.id}`
  const running = pending.get(name) ?? fetchAvatar(ctx, connection, avatarUrl).finally(() => pending.delete(name))
  pending.set(name, running)
  return running
}

async function fetchAvatar(ctx: Context, connection: ConnectionKey, source: string): Promise<string | null> {
  const { workspaceId } = connection
  const copy = await storeCopy(ctx, workspaceId, source).catch((error: unknown) => {
    if (!(error instanceof EgressError) && !(error instanceof Problem && error.status < 500)) throw error
    ctx.log.info({ err: error, connection: connection.id }, 'the picture of an account could not be fetched')
    return error instanceof EgressError && !isFinal(error) ? unanswered : missing
  })
  const key = copy === missing || copy === unanswered ? null : copy.key
  // What may be there a minute later is stored as if it had been missing for most of the time.
  const atMs = ctx.nowMs() - (copy === unanswered ? missingMs - unansweredMs : 0)
  await ctx.db.tenant(workspaceId, (tx) => saveAvatar(tx, connection, { key, source, at: new Date(atMs) }))
  return key
}

const missing = 'missing'
const unanswered = 'unanswered'
type Copy = { key: string } | typeof missing | typeof unanswered

/** Whether the same address would fail in the same way again. */
function isFinal({ code }: EgressError): boolean {
  return code === 'blocked_address' || code === 'bad_url' || code === 'too_large'
}

async function storeCopy(ctx: Context, workspaceId: string, url: string): Promise<Copy> {
  const reply = await ctx.egress.open({ method: 'GET', url, timeoutMs, bytesMax, https: false, redirects: 3 })
  if (reply.status !== 200) {
    reply.body.destroy()
    return reply.status === 404 || reply.status === 410 ? missing : unanswered
  }
  const file = await receiveFile(ctx, reply.body)
  try {
    if (file.type !== 'image') return missing
    const { thumbnail } = await ctx.resources
      .get(createAvatarQueue, ctx)
      .run({ workspaceId }, () => inspectFile({ ctx, workspaceId }, file.path, file))
    if (!thumbnail) return missing
    try {
      const key = `${workspaceId}/avatars/${newId(ctx.nowMs())}`
      // The removal is planned before the first byte is stored: whatever happens, the file does not stay.
      await ctx.db.tenant(workspaceId, (tx) => insertRemovals(tx, { workspaceId, keys: [key] }, new Date(ctx.nowMs() + keptMs)))
      await ctx.storage.putFile(key, thumbnail.path, { mimeType: thumbnail.mimeType })
      return { key }
    } finally {
      await rm(thumbnail.path, { force: true })
    }
  } finally {
    await rm(file.path, { force: true })
  }
}

/** Our copy of an account's picture is deleted with the next pass of the workers, not at the end of its week. */
export function removeAvatar(tx: Tx, { workspaceId, key }: { workspaceId: string; key: string }): Promise<void> {
  return insertRemovals(tx, { workspaceId, keys: [key] }, new Date(0))
}
