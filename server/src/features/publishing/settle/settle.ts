import { warningTexts, type ChannelError } from '@carillon/contract'
import type { ChannelState } from '@carillon/core'
import type { Context } from '../../../context.ts'
import { type Tx, isConnectionError } from '../../../infra/db/db.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { requestReconnect } from '../../connections/disconnect.ts'
import { recordPostChanges } from '../../events/outbox.store.ts'
import { insertFailedAttempts, type FailedAttempt } from '../../posts/channel-event.store.ts'
import { channelError, channelErrorBecause } from '../../posts/channel-error.ts'
import { insertNextParts, isComment, unknownPostWarning } from '../../posts/part.store.ts'
import { updatePostStatuses } from '../../posts/update-post-statuses.ts'
import { createBatcher } from '../create-batcher.ts'
import { checkJob, recoverJobs } from '../jobs.ts'
import { claimPostIds, type Claim } from '../platform-post.store.ts'
import { dropSends } from '../send/in-flight.ts'
import { giveBackLeases } from '../send/rate-leases.ts'
import { countOutcomes } from './count-outcomes.ts'
import { endedChannels, nextPartOf, recordComments } from './settle-parts.ts'
import type { Finished, Result } from './result.ts'
import { lockPosts, noValues, settleChannels, type Settled, type Settlement } from './settle.store.ts'

/**
 * Writes the results of channels, computes their posts' status and records the events, all in one transaction. A platform's id of a post
 * belongs to one channel: a result with that of another channel is not known.
 */
async function settleAll(ctx: Context, finished: readonly Finished[]): Promise<Settled[]> {
  return ctx.db.system.transaction().execute(async (tx) => {
    await lockPosts(tx, finished)
    const taken = await claimPostIds(tx, finished.flatMap(claimOf))
    const judged = finished.map((each) => ({ ...each, result: withoutTakenId(each, taken.get(each.ref.channelId)) }))
    const known = judged.flatMap(({ result, ...each }) => (result.kind === 'unknown' ? [] : [{ ...each, result }]))
    const rows = new Map((await settleChannels(tx, known.map(settlementOf))).map((row) => [row.id, row]))
    const settled = judged.flatMap((each): Settled[] => {
      const row = rows.get(each.ref.channelId) ?? null
      return row || each.result.kind === 'unknown' ? [{ ...each, row }] : []
    })
    await recordFailures(ctx, tx, settled)
    const next = await insertNextParts(
      tx,
      settled.flatMap((each) => nextPartOf(ctx, each)),
    )
    await updatePostStatuses(tx, endedChannels([...rows.values(), ...next]), ctx.nowMs())
    await recordComments(ctx, tx, settled)
    await giveBackLeases(ctx, tx, settled)
    return settled
  })
}

function claimOf({ ref, result }: Finished): Claim[] {
  return result.kind === 'published' && result.postId !== null ? [{ ref, platformPostId: result.postId }] : []
}

/** How often a platform that shows posts of other channels is asked about a channel. */
const roundsMax = 3

/** `takenIn`: the state of the channel, if the platform's id of its post belongs to another channel. */
function withoutTakenId({ result, progress }: Finished, takenIn: ChannelState | undefined): Result {
  if (takenIn === undefined) return result
  const refusal = progress?.refusal
  // The platform itself named the post of which this is a duplicate, and that is the post of another channel.
  if (refusal?.existing && result.kind === 'published' && refusal.existing.postId === result.postId)
    return { kind: 'failed', error: refusal.error }
  // The platform is asked again: it may show another post too, and that of the other channel is known by now.
  if (takenIn === 'submitting' && (progress?.round ?? 0) < roundsMax) return { kind: 'unknown' }
  return { kind: 'unconfirmed', error: channelErrorBecause('outcome_unknown', 'other_post_found') }
}

/** Stores failed attempts for the timeline of their posts. When all channels are published, this sends no statement. */
async function recordFailures(ctx: Context, tx: Tx, settled: readonly Settled[]): Promise<void> {
  const attempts = settled.flatMap(({ row, result }): FailedAttempt[] => {
    // What becomes of a first comment is told by a warning of its channel.
    if (!row || isComment(row) || !('error' in result)) return []
    const { workspace_id: workspaceId, post_id: postId } = row
    const channelId = row.channel_id ?? row.id
    const stage = result.kind === 'unconfirmed' ? 'unconfirmed' : 'failed'
    const retryAt = result.kind === 'later' ? new Date(result.atMs) : null
    return [{ workspaceId, postId, channelId, stage, error: result.error, retryAt }]
  })
  await insertFailedAttempts(tx, attempts)
  // Other failures end their channel, which is an event of its own.
  const waiting = attempts.filter(({ retryAt }) => retryAt !== null)
  await recordPostChanges(tx, waiting, ctx.nowMs())
}

const settleMax = 500

const createSettleBatcher = () => ({
  value: createBatcher<Finished, Settled[]>({
    max: settleMax,
    keyOf: ({ ref }) => ref.channelId,
    work: settleAll,
    share(settled, finished) {
      const mine = new Set(finished.map(({ ref }) => ref.channelId))
      return settled.filter(({ ref }) => mine.has(ref.channelId))
    },
  }),
})

/** A batcher for each workspace that has something to settle on servers that users choose. */
const createIsolatedBatchers = () => {
  const open = new Map<string, { settle: ReturnType<typeof createSettleBatcher>['value']; users: number }>()
  const value = async (ctx: Context, workspaceId: string, finished: readonly Finished[]): Promise<Settled[]> => {
    const batcher = open.get(workspaceId) ?? { settle: createSettleBatcher().value, users: 0 }
    open.set(workspaceId, batcher)
    batcher.users++
    try {
      return await batcher.settle(ctx, finished)
    } finally {
      if (--batcher.users === 0) open.delete(workspaceId)
    }
  }
  return { value }
}

/** Stores the results of channels and returns the jobs that follow from them. */
export async function settle(ctx: Context, finished: readonly Finished[]): Promise<Job[]> {
  if (finished.length === 0) return []
  const { settled, errors } = await settleSafely(ctx, finished)
  dropSends(
    ctx,
    settled.map(({ ref }) => ref),
  )
  countOutcomes(ctx, settled)
  if (settled.some(({ result, next }) => result.kind === 'later' || next)) ctx.engine.wakeWorkers()
  await reportDeadTokens(ctx, settled)
  // The engine repeats this step for the results that are missing. The sweep finds the checks that follow from the others.
  if (errors.length > 0) throw errors[0]
  return settled.flatMap(jobsAfter)
}

type Stored = { settled: Settled[]; errors: unknown[] }

/** A batch that cannot be stored as a whole is stored one by one: one bad answer must not hold the others. */
async function settleSafely(ctx: Context, finished: readonly Finished[]): Promise<Stored> {
  const shared = finished.filter(({ isolated }) => !isolated)
  const byWorkspace = Map.groupBy(
    finished.filter(({ isolated }) => isolated),
    ({ ref }) => ref.workspaceId,
  )
  const stored = await Promise.all([
    settleOrSplit(ctx, shared, (items) => ctx.resources.get(createSettleBatcher, ctx)(ctx, items)),
    ...[...byWorkspace].map(([workspaceId, items]) =>
      settleOrSplit(ctx, items, (some) => ctx.resources.get(createIsolatedBatchers, ctx)(ctx, workspaceId, some)),
    ),
  ])
  return { settled: stored.flatMap(({ settled }) => settled), errors: stored.flatMap(({ errors }) => errors) }
}

async function settleOrSplit(
  ctx: Context,
  finished: readonly Finished[],
  store: (items: readonly Finished[]) => Promise<Settled[]>,
): Promise<Stored> {
  const settled: Settled[] = []
  const errors: unknown[] = []
  if (finished.length === 0) return { settled, errors }
  try {
    return { settled: await store(finished), errors }
  } catch (error) {
    // The database is away: nothing is wrong with the results, and the engine repeats this step.
    if (isConnectionError(error)) return { settled, errors: [error] }
    for (const each of finished) {
      try {
        settled.push(...(await settleAlone(ctx, each)))
      } catch (reason) {
        errors.push(reason)
        if (isConnectionError(reason)) break
      }
    }
    return { settled, errors }
  }
}

/** An answer that the database refuses is stored without the platform's own strings: that it was published is what matters. */
async function settleAlone(ctx: Context, finished: Finished): Promise<Settled[]> {
  try {
    return await settleAll(ctx, [finished])
  } catch (error) {
    if (isConnectionError(error)) throw error
    ctx.log.error({ err: error, channel: finished.ref.channelId }, 'a result could not be stored as it was answered')
    return settleAll(ctx, [{ ...finished, result: withoutPlatformText(finished.result) }])
  }
}

function withoutPlatformText(result: Finished['result']): Finished['result'] {
  switch (result.kind) {
    case 'published':
      return {
        ...result,
        postId: null,
        postUrl: null,
        warnings: [warningTexts.answer_not_stored],
      }
    case 'processing':
      return { kind: 'unconfirmed', error: channelError('processing_timed_out') }
    case 'failed':
    case 'unconfirmed':
    case 'later':
      return { ...result, error: withoutPlatformTexts(result.error) }
  }
}

function withoutPlatformTexts({ platformMessage: _platformMessage, ...error }: ChannelError): ChannelError {
  return { ...error, message: 'The platform’s message could not be stored.', platformCode: null }
}

/** If a platform rejects the token, the connection is marked as needing reconnection. */
async function reportDeadTokens(ctx: Context, settled: readonly Settled[]): Promise<void> {
  for (const { row, result, tokenRenewedAtMs } of settled) {
    const isDead =
      (result.kind === 'later' && result.waiting === 'reconnect') ||
      (result.kind === 'failed' && result.error.code === 'reconnect_needed')
    if (!isDead || !row) continue
    const key = { workspaceId: row.workspace_id, id: row.connection_id, ...(tokenRenewedAtMs !== null && { tokenRenewedAtMs }) }
    await requestReconnect(ctx, key, { reason: result.error.message })
  }
}

function settlementOf({ ref, postId, result, next }: Finished): Settlement {
  const none = { ...noValues, ref, postId }
  switch (result.kind) {
    case 'published':
      return {
        ...none,
        state: 'published',
        postUrl: result.postUrl,
        platformPostId: result.postId,
        publishedAt: new Date(result.atMs),
        warnings: JSON.stringify(
          next && !next.isThread && result.postId === null ? [...result.warnings, unknownPostWarning] : result.warnings,
        ),
      }
    case 'processing':
      return { ...none, state: 'confirming', reference: result.reference, finishWithinMs: result.finishWithinMs ?? null }
    case 'failed':
      return { ...none, state: 'failed', error: JSON.stringify(result.error) }
    case 'unconfirmed':
      return { ...none, state: 'unconfirmed', error: JSON.stringify(result.error) }
    case 'later':
      return {
        ...none,
        state: 'scheduled',
        laterAt: new Date(result.atMs),
        renewToken: result.renew,
        restage: result.restage ?? false,
        isRefused: result.isRefused ?? false,
        waitingReason: result.waiting,
        error: JSON.stringify(result.error),
      }
  }
}

const askAgainMs = 2_000

function jobsAfter({ row, ref: sent, result, progress = { round: 0, callEnded: true } }: Settled): Job[] {
  if (!row) return recoverJobs({ ...progress, refs: [sent], round: progress.round + 1 }, askAgainMs)
  const ref = { ...sent, generation: row.generation }
  if (row.state !== 'confirming') return []
  return [checkJob(ref, 0, result.kind === 'processing' ? result.checkAfterMs : 1000)]
}
