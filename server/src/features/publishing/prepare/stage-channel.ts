import type { ConnectionKey } from '../../connections/jobs.ts'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { loadChannel } from '../send/arm.store.ts'
import { openChannel, type LoadedChannel } from '../open-channel.ts'
import type { ChannelRef } from '../jobs.ts'
import { channelError } from '../../posts/channel-error.ts'
import { openFiles } from './open-files.ts'
import type { Result } from '../settle/result.ts'
import { failureOf } from '../send/send-channel.ts'
import { settle } from '../settle/settle.ts'
import { savePrepared } from './stage.store.ts'

const tokenMarginMs = 60_000
const againAfterMs = 5_000

type Needs = { renewal: { connection: ConnectionKey; seenAtMs: number } | null; post: { workspaceId: string; id: string } | null }

/** What must be there before this channel can be staged: a token that lives until it is due, and the files of its post. */
export async function findNeeds(ctx: Context, ref: ChannelRef): Promise<Needs> {
  const loaded = await loadChannel(ctx.db.system, ref, ['dispatched'])
  if (!loaded) return { renewal: null, post: null }
  const { post } = loaded
  return { renewal: renewalNeed(ctx, loaded), post: post.pending_medias ? { workspaceId: post.workspace_id, id: post.id } : null }
}

/** `seenAtMs`: a renewal after it is good enough. */
function renewalNeed(ctx: Context, { channel, connection }: LoadedChannel): Needs['renewal'] {
  const expiresMs = connection.token_expires_at?.getTime() ?? Infinity
  const dueMs = channel.dispatch_at?.getTime() ?? ctx.nowMs()
  const refusedAtMs = channel.renew_token ? (channel.submitted_at?.getTime() ?? 0) : null
  if (refusedAtMs === null && expiresMs >= dueMs + tokenMarginMs) return null
  const key = { workspaceId: connection.workspace_id, id: connection.id }
  // A token that only runs out is stale if it was made before this run looked; a refused one, if made before it was refused.
  return { connection: key, seenAtMs: refusedAtMs ?? ctx.nowMs() - tokenMarginMs }
}

/**
 * Makes what can be made before the due time and puts the channel back into the schedule, prepared. Repeatable: nothing made here can be
 * seen by anybody.
 */
export async function stageChannel(ctx: Context, ref: ChannelRef): Promise<Job[]> {
  const loaded = await loadChannel(ctx.db.system, ref, ['dispatched'])
  if (!loaded) return []
  const { channel, post } = loaded
  if (post.pending_error) return fail(ctx, loaded, ref, post.pending_error)
  const files = await openFiles(ctx, loaded)
  if (files.violations.length > 0) return fail(ctx, loaded, ref, files.violations.join(' '))
  const opened = openChannel(ctx, loaded, files.media)
  const { connector, client, draft } = opened
  const isStaging = channel.needs_stage && !channel.staged && connector.stage
  try {
    const staged = isStaging ? await connector.stage?.(client, draft) : undefined
    if (await savePrepared(ctx.db.system, ref, staged)) ctx.engine.wakeWorkers()
    return []
  } catch (error) {
    const result = failureOf(ctx, { ...loaded, channel: { ...channel, tries: channel.tries + 1 } }, opened, error)
    return settle(ctx, [{ ref, postId: channel.post_id, result: result.kind === 'unknown' ? tryAgain(ctx) : result }])
  }
}

/** Its files cannot be used, and trying again would not help. */
function fail(ctx: Context, { channel }: LoadedChannel, ref: ChannelRef, message: string): Promise<Job[]> {
  const error = { ...channelError('media_unusable'), message }
  return settle(ctx, [{ ref, postId: channel.post_id, result: { kind: 'failed', error } }])
}

/** Staging can always be done again, so a lost answer is no worse than none. */
function tryAgain(ctx: Context): Extract<Result, { kind: 'later' }> {
  const message = 'The platform did not answer while the post was being prepared.'
  return {
    kind: 'later',
    atMs: ctx.nowMs() + againAfterMs,
    renew: false,
    error: { ...channelError('platform_unavailable'), message },
  }
}
