import { warningTexts } from '@carillon/contract'
import { PlatformError, requireWholeIds, type Found } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { readCell } from '../../infra/cell/cell.store.ts'
import { inParallel } from '../../infra/engine/in-parallel.ts'
import type { ChannelRef } from '../publishing/channel-ref.ts'
import { openChannel, type LoadedChannel } from '../publishing/open-channel.ts'
import { findKnownPostIds } from '../publishing/platform-post.store.ts'
import { loadChannel } from '../publishing/send/arm.store.ts'
import { finishedOf } from '../publishing/settle/result.ts'
import { settle } from '../publishing/settle/settle.ts'
import { claimDoubted, returnToSchedule, type DoubtedChannel, type LostTime } from './restore.store.ts'

const postsMax = 100
const connectionsAtOnce = 16
/** A platform's clock may differ from ours. */
const clockMarginMs = 60_000
/** A platform's listing may not show the newest posts yet. */
const listingDelayMs = 300_000

type Absent = DoubtedChannel & { keepsStaged: boolean }

/**
 * Asks the platforms about channels that may have been sent before a restore. Found: published. Certainly absent: back to the schedule.
 * Otherwise the channel stays as it is, for a person. Never sends. True when there may be more to ask about now.
 */
export async function askAboutDoubted(ctx: Context): Promise<boolean> {
  const { isOpen, epoch, lostFrom, lostUntil } = await readCell(ctx.db.system)
  if (!isOpen || !lostFrom || !lostUntil) return false
  const lost = { from: lostFrom, until: lostUntil }
  const doubted = await claimDoubted(ctx.db.system, postsMax)
  const absent: Absent[] = []
  // One after the other on each connection: a post that was found for one channel must not be found for the next one too.
  const byConnection = [...Map.groupBy(doubted, ({ connectionId }) => connectionId).values()]
  await inParallel(byConnection, connectionsAtOnce, async (channels) => {
    for (const channel of channels) {
      const proof = await ask(ctx, { ...channel, epoch }, lost)
      if (proof) absent.push({ ...channel, keepsStaged: proof === 'reference' })
    }
  })
  // All channels of a post return together, so that a post of which nothing was sent can be held as a whole.
  for (const channels of Map.groupBy(absent, ({ postId }) => postId).values()) {
    const [post] = channels
    if (post) await ctx.db.system.transaction().execute((tx) => returnToSchedule(tx, post, channels))
  }
  if (absent.length > 0) ctx.engine.wakeWorkers()
  return new Set(doubted.map(({ postId }) => postId)).size === postsMax
}

/** Settles a channel that is found. Gives the proof if it is certainly absent. */
async function ask(
  ctx: Context,
  channel: DoubtedChannel & { epoch: number },
  lost: LostTime,
): Promise<'reference' | 'listing' | null> {
  const { workspaceId, channelId, generation, epoch } = channel
  const ref: ChannelRef = { workspaceId, channelId, generation, epoch }
  const { loaded } = await loadChannel(ctx.db.system, ref, { states: ['doubted'] })
  if (!loaded) return null
  const found = await find(ctx, { channel, loaded, lost })
  if (found.state === 'absent') {
    const isCurrent = found.proof === 'reference' || ctx.nowMs() - lost.until.getTime() > listingDelayMs
    return isCurrent ? found.proof : null
  }
  if (found.state !== 'published') return null
  const { postId, postUrl } = found
  const { number, parts, thread_parts: lastOfThread } = loaded.channel
  // Its first comment may have been sent too.
  const warnings = [
    ...(found.warnings ?? []),
    ...(number === lastOfThread && number + 1 < parts ? [warningTexts.comment_doubted] : []),
  ]
  // When it was published is lost. It was due then, and it was found in the lost time.
  const atMs = channel.dueAt?.getTime() ?? ctx.nowMs()
  await settle(ctx, [finishedOf(ctx, loaded, { kind: 'published', postId, postUrl, warnings, atMs })])
  return null
}

type Question = { channel: DoubtedChannel; loaded: LoadedChannel; lost: LostTime }

/** A question that cannot be asked, or fails, leaves the channel in doubt. */
async function find(ctx: Context, { channel, loaded, lost }: Question): Promise<Found> {
  try {
    const { connector, client, draft, staged, handle } = openChannel(ctx, loaded)
    const window = { fromMs: lost.from.getTime() - clockMarginMs, untilMs: lost.until.getTime() }
    const knownPostIds = await findKnownPostIds(ctx.db.system, loaded.connection, window.fromMs)
    const found = await connector.find?.(client, { draft, staged, handle, window, knownPostIds })
    return found ? requireWholeIds(found) : { state: 'unknown' }
  } catch (error) {
    const { kind } = error instanceof PlatformError ? error : { kind: 'bug' }
    ctx.log.warn({ err: error, kind, channel: channel.channelId }, 'the platform could not be asked about a doubted channel')
    return { state: 'unknown' }
  }
}
