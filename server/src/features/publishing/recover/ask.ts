import { PlatformError, requireWholeIds, type Found, type PlatformErrorKind } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { findCapabilities } from '../../connections/capabilities/capability.store.ts'
import { learnCapabilities } from '../../connections/capabilities/learn-capabilities.ts'
import { canRenew } from '../../connections/can-renew.ts'
import { renewJob } from '../../connections/jobs.ts'
import type { LoadedChannel, OpenedChannel } from '../open-channel.ts'
import { findKnownPostIds } from '../platform-post.store.ts'
import { quietAfterMs } from '../send/send-lease.ts'

/** A platform may show a new post in its lists a little before or after the time that we have for it. */
export const windowMarginMs = 60_000

/** Kinds of failures that pass, so that the question can be asked again. */
const passing: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>(['unavailable', 'unknown', 'limited'])

/** `refused`: the platform does not accept the token. `unanswered`: the question failed for a reason that passes. */
export type Answer = Found | { state: 'refused' | 'unanswered' }

/** When the first and the last call without an answer were made. */
type Sends = { firstMs: number; lastMs: number }

/** Asks the platform what became of a send. A question that cannot be asked, or fails, tells nothing. */
export async function ask(
  ctx: Context,
  { channel, connection }: LoadedChannel,
  { connector, client, draft, staged, handle }: OpenedChannel,
  { firstMs, lastMs }: Sends,
): Promise<Answer> {
  if (!connector.find) return { state: 'unknown' }
  const window = { fromMs: firstMs - windowMarginMs, untilMs: lastMs + quietAfterMs(connector) }
  try {
    const knownPostIds = await findKnownPostIds(ctx.db.system, connection, window.fromMs)
    // A post is not its own first comment.
    if (channel.reply_to !== null) knownPostIds.add(channel.reply_to)
    return requireWholeIds(await connector.find(client, { draft, staged, handle, window, knownPostIds }))
  } catch (error) {
    const kind = error instanceof PlatformError ? error.kind : 'bug'
    ctx.log.warn({ err: error, kind, channel: channel.id }, 'the platform could not be asked what became of a send')
    if (kind === 'auth') return { state: 'refused' }
    return { state: kind !== 'bug' && passing.has(kind) ? 'unanswered' : 'unknown' }
  }
}

/** True while the platform still recognises the handle of a call made at `sentAtMs`, with room for the repeat itself. */
export async function canRepeat(
  ctx: Context,
  { connection }: LoadedChannel,
  { connector }: OpenedChannel,
  sentAtMs: number,
): Promise<boolean> {
  const { handle: kind, handleLastsMs } = connector.manifest
  if (kind !== 'key' || connection.status === 'disconnected') return false
  if (connector.capabilities && !(await recognisesKeys(ctx, connection))) return false
  return handleLastsMs === null || ctx.nowMs() - sentAtMs < handleLastsMs - 120_000
}

/** Servers of one platform differ. One that nobody has asked yet is asked now; if it does not answer, nothing is repeated there. */
async function recognisesKeys(ctx: Context, { workspace_id: workspaceId, id }: LoadedChannel['connection']): Promise<boolean> {
  const key = { workspaceId, id }
  const find = async () => (await findCapabilities(ctx.db.system, key))?.capabilities ?? null
  let capabilities = await find()
  if (!capabilities) {
    await learnCapabilities(ctx, key)
    capabilities = await find()
  }
  return capabilities !== null && (capabilities.rules.handle ?? 'key') === 'key'
}

/** For this long after a send, an expired token is renewed before the platform is asked again. A platform may process a video for as long. */
const renewWithinMs = 1_800_000
/** Time for the token to be renewed. */
export const renewedAfterMs = 5_000

/**
 * Whether the token that the platform refused can be replaced, so that the question can be asked again. Not if it was replaced since `fromMs`: a
 * new one was not the cause.
 */
export function canAskWithNewToken(
  ctx: Context,
  { connection }: LoadedChannel,
  { connector, client }: OpenedChannel,
  fromMs: number,
): boolean {
  const isNew = connection.token_renewed_at.getTime() > fromMs
  if (isNew || connection.status !== 'active' || ctx.nowMs() - fromMs > renewWithinMs) return false
  return canRenew(connector, client.credentials)
}

export function renewToken({ connection }: LoadedChannel): Job {
  return renewJob({ workspaceId: connection.workspace_id, id: connection.id }, connection.token_renewed_at.getTime())
}
