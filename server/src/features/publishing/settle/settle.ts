import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { requestReconnect } from '../../connections/request-reconnect.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { insertFailedAttempts, type FailedAttempt } from '../../posts/channel-event.store.ts'
import { channelError } from '../../posts/channel-error.ts'
import { updatePostStatuses } from '../../posts/update-post-statuses.ts'
import { createBatcher } from '../create-batcher.ts'
import { checkJob, commentJob } from '../jobs.ts'
import { countOutcomes } from './count-outcomes.ts'
import type { Finished } from './result.ts'
import { isConnectionError, lockPosts, noValues, settleChannels, type SettledChannel, type Settlement } from './settle.store.ts'

/** Writes the results of channels, computes their posts' status and records the events, all in one transaction. */
async function settleAll(ctx: Context, finished: readonly Finished[]): Promise<SettledChannel[]> {
  const settlements = finished.map(settlementOf)
  return ctx.db.system.transaction().execute(async (tx) => {
    await lockPosts(tx, settlements)
    const rows = await settleChannels(tx, settlements)
    await recordFailures(ctx, tx, { rows, finished })
    await updatePostStatuses(tx, rows, ctx.nowMs())
    return rows
  })
}

type Settled = { rows: readonly SettledChannel[]; finished: readonly Finished[] }

/** Stores failed attempts for the timeline of their posts. When all channels are published, this sends no statement. */
async function recordFailures(ctx: Context, tx: Tx, { rows, finished }: Settled): Promise<void> {
  const resultOf = new Map(finished.map(({ ref, result }) => [ref.channelId, result]))
  const attempts = rows.flatMap(({ workspace_id: workspaceId, post_id: postId, id }): FailedAttempt[] => {
    const result = resultOf.get(id)
    if (!result || !('error' in result)) return []
    const stage = result.kind === 'unconfirmed' ? 'unconfirmed' : 'failed'
    const retryAt = result.kind === 'later' ? new Date(result.atMs) : null
    return [{ workspaceId, postId, channelId: id, stage, error: result.error, retryAt }]
  })
  await insertFailedAttempts(tx, attempts)
  // Other failures end their channel, which is an event of its own.
  const waiting = attempts.filter(({ retryAt }) => retryAt !== null)
  await recordEvents(
    tx,
    waiting.map(({ workspaceId, postId }) => ({
      workspaceId,
      event: 'post.changed' as const,
      subjectId: postId,
      personId: null,
      atMs: ctx.nowMs(),
    })),
  )
}

const settleMax = 500

const createSettleBatcher = () => ({
  value: createBatcher<Finished, SettledChannel[]>({
    max: settleMax,
    keyOf: ({ ref }) => ref.channelId,
    work: settleAll,
    share(settled, finished) {
      const mine = new Set(finished.map(({ ref }) => ref.channelId))
      return settled.filter(({ id }) => mine.has(id))
    },
  }),
})

/** A batcher for each workspace that has something to settle on servers that users choose. */
const createIsolatedBatchers = () => {
  const open = new Map<string, { settle: ReturnType<typeof createSettleBatcher>['value']; users: number }>()
  const value = async (ctx: Context, workspaceId: string, finished: readonly Finished[]): Promise<SettledChannel[]> => {
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
  const settled = await settleSafely(ctx, finished)
  countOutcomes(ctx, settled, finished)
  if (finished.some(({ result }) => result.kind === 'later')) ctx.engine.wakeWorkers()
  await reportDeadTokens(ctx, settled, finished)
  return settled.flatMap((row) => jobsAfter(row, finished))
}

/** A batch that cannot be stored as a whole is stored one by one: one bad answer must not hold the others. */
async function settleSafely(ctx: Context, finished: readonly Finished[]): Promise<SettledChannel[]> {
  const shared = finished.filter(({ isolated }) => !isolated)
  const byWorkspace = Map.groupBy(
    finished.filter(({ isolated }) => isolated),
    ({ ref }) => ref.workspaceId,
  )
  const settled = await Promise.all([
    settleOrSplit(ctx, shared, (items) => ctx.resources.get(createSettleBatcher, ctx)(ctx, items)),
    ...[...byWorkspace].map(([workspaceId, items]) =>
      settleOrSplit(ctx, items, (some) => ctx.resources.get(createIsolatedBatchers, ctx)(ctx, workspaceId, some)),
    ),
  ])
  return settled.flat()
}

async function settleOrSplit(
  ctx: Context,
  finished: readonly Finished[],
  store: (items: readonly Finished[]) => Promise<SettledChannel[]>,
): Promise<SettledChannel[]> {
  if (finished.length === 0) return []
  try {
    return await store(finished)
  } catch (error) {
    // The database is away: nothing is wrong with the results, and the engine repeats this step.
    if (isConnectionError(error)) throw error
    const rows: SettledChannel[] = []
    for (const each of finished) rows.push(...(await settleAlone(ctx, each)))
    return rows
  }
}

/** An answer that the database refuses is stored without the platform's own strings: that it was published is what matters. */
async function settleAlone(ctx: Context, finished: Finished): Promise<SettledChannel[]> {
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
        warnings: ['The platform’s answer could not be stored; the post was published.'],
      }
    case 'processing':
      return { kind: 'unconfirmed', error: channelError('processing_timed_out') }
    case 'failed':
    case 'unconfirmed':
    case 'later':
      return { ...result, error: { ...result.error, message: 'The platform’s message could not be stored.', platformCode: null } }
  }
}

/** If a platform rejects the token, the connection is marked as needing reconnection. */
async function reportDeadTokens(ctx: Context, settled: readonly SettledChannel[], finished: readonly Finished[]): Promise<void> {
  for (const { ref, result, tokenRenewedAtMs } of finished) {
    const isDead =
      (result.kind === 'later' && result.waiting === 'reconnect') ||
      (result.kind === 'failed' && result.error.code === 'reconnect_needed')
    if (!isDead) continue
    const row = settled.find(({ id }) => id === ref.channelId)
    if (!row) continue
    const key = { workspaceId: row.workspace_id, id: row.connection_id, ...(tokenRenewedAtMs !== null && { tokenRenewedAtMs }) }
    await requestReconnect(ctx, key, { reason: result.error.message })
  }
}

function settlementOf({ ref, postId, result }: Finished): Settlement {
  const none = { ...noValues, ref, postId }
  switch (result.kind) {
    case 'published':
      return {
        ...none,
        state: 'published',
        postUrl: result.postUrl,
        platformPostId: result.postId,
        publishedAt: new Date(result.atMs),
        warnings: JSON.stringify(result.warnings),
      }
    case 'processing':
      return { ...none, state: 'confirming', reference: result.reference }
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

function jobsAfter(row: SettledChannel, finished: readonly Finished[]): Job[] {
  const { ref: sent, result } = finished.find((each) => each.ref.channelId === row.id) ?? {}
  if (!sent) return []
  const ref = { ...sent, generation: row.generation }
  if (row.state === 'published') return row.comment_state === 'waiting' ? [commentJob(ref)] : []
  if (row.state !== 'confirming') return []
  return [checkJob(ref, 0, result?.kind === 'processing' ? result.checkAfterMs : 1000)]
}
