import { PlatformError, type Found } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { findChannelRefs, loadChannel } from '../send/arm.store.ts'
import { openChannel, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { recoverJobs, type Inquiry, type ChannelRef } from '../jobs.ts'
import { isInFlight } from '../send/in-flight.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { Result } from '../settle/result.ts'
import { resultOf, sendChannel } from '../send/send-channel.ts'
import { settle } from '../settle/settle.ts'

/** Waits between the times a platform is asked. Where sending again is harmless, we can afford to ask for longer. */
const askAgainMs = [2_000, 8_000]
const sendAgainMs = [1_000, 3_000, 10_000, 30_000, 60_000, 120_000, 300_000]

/** Finds out about those that are still without an answer; most have been settled by the time somebody asks. */
export async function recoverChannels(ctx: Context, { refs, round }: Inquiry): Promise<Job[]> {
  const open = (await findChannelRefs(ctx.db.system, refs)).filter(({ state }) => state === 'submitting')
  const jobs = await Promise.all(
    open.map(({ workspaceId, channelId, generation }) => recoverChannel(ctx, { workspaceId, channelId, generation }, round)),
  )
  return jobs.flat()
}

/**
 * The guard was set and no answer is known. By the platform's handle: with a key, the same send again is harmless; with a reference or
 * by reading back, the platform is asked; otherwise nobody can know. Never sends a second time on a guess.
 */
async function recoverChannel(ctx: Context, ref: ChannelRef, round: number): Promise<Job[]> {
  if (isInFlight(ctx, ref)) return recoverJobs([ref], round, 5_000)
  const loaded = await loadChannel(ctx.db.system, ref, ['submitting'])
  if (!loaded) return []
  const opened = openChannel(ctx, loaded)
  const result = await findOut(ctx, loaded, opened)
  if (result.kind !== 'unknown') return settle(ctx, [{ ref, postId: loaded.channel.post_id, result }])

  const waits = opened.connector.manifest.handle === 'key' ? sendAgainMs : askAgainMs
  const wait = waits[round]
  if (wait !== undefined) return recoverJobs([ref], round + 1, wait)
  ctx.log.warn({ channel: ref.channelId, platform: loaded.channel.platform }, 'nobody can tell whether this was published')
  return settle(ctx, [
    { ref, postId: loaded.channel.post_id, result: { kind: 'unconfirmed', error: channelError('outcome_unknown') } },
  ])
}

async function findOut(ctx: Context, loaded: LoadedChannel, opened: OpenedChannel): Promise<Result> {
  const { manifest } = opened.connector
  const canRepeat = manifest.handle === 'key' && isRemembered(manifest.handleLastsMs, opened, ctx.nowMs())
  const repeated = canRepeat ? await sendChannel(ctx, loaded) : null
  if (repeated?.kind === 'published' || repeated?.kind === 'processing') return repeated

  // A refusal of the repeat says nothing of the first send: that one may be out there.
  const found = await ask(ctx, loaded, opened)
  if (found.state === 'unknown' || (found.state === 'absent' && found.proof === 'listing')) return { kind: 'unknown' }
  if (found.state !== 'absent') return resultOf(found, ctx.nowMs())
  if (repeated) return repeated
  // Only a reference can be told to be absent and still be sent: the platform itself refuses to publish it twice.
  return manifest.handle === 'reference' ? sendChannel(ctx, loaded) : { kind: 'unknown' }
}

/** Will the platform still recognise the key? With room for the call itself. */
function isRemembered(lastsMs: number | null, { handle }: OpenedChannel, nowMs: number): boolean {
  return lastsMs === null || nowMs - handle.atMs < lastsMs - 120_000
}

/** A question that cannot be asked, or fails, leaves us as wise as before. */
async function ask(ctx: Context, { channel }: LoadedChannel, opened: OpenedChannel): Promise<Found> {
  const window = { fromMs: opened.handle.atMs - 60_000, untilMs: ctx.nowMs() }
  try {
    return (await opened.connector.find?.(opened.client, { ...opened, window, knownPostIds: new Set() })) ?? { state: 'unknown' }
  } catch (error) {
    const { kind } = error instanceof PlatformError ? error : { kind: 'bug' }
    ctx.log.warn({ err: error, kind, channel: channel.id }, 'the platform could not be asked what became of a send')
    return { state: 'unknown' }
  }
}
