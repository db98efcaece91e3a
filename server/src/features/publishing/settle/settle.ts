import { requestReconnect } from '../../connections/request-reconnect.ts'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { checkJob, commentJob, type ChannelRef } from '../jobs.ts'
import { createBatcher } from '../create-batcher.ts'
import type { Result } from './result.ts'
import { lockPosts, settleChannels, type Settlement } from './settle.store.ts'
import { updatePostStatuses, type ChangedChannel } from '../../posts/update-post-statuses.ts'

export type Finished = { ref: ChannelRef; postId: string; result: Exclude<Result, { kind: 'unknown' }> }

/** Writes what became of channels, computes their posts' status and notes the events, all in one transaction. */
async function settleAll(ctx: Context, finished: readonly Finished[]): Promise<ChangedChannel[]> {
  const settlements = finished.map(settlementOf)
  return ctx.db.system.transaction().execute(async (tx) => {
    await lockPosts(tx, settlements)
    const rows = await settleChannels(tx, settlements)
    await updatePostStatuses(tx, rows, ctx.nowMs())
    return rows
  })
}

const settleMax = 500

const createSettleBatcher = () => ({
  value: createBatcher<Finished, ChangedChannel[]>({
    max: settleMax,
    keyOf: ({ ref }) => ref.channelId,
    work: settleAll,
    share(settled, finished) {
      const mine = new Set(finished.map(({ ref }) => ref.channelId))
      return settled.filter(({ id }) => mine.has(id))
    },
  }),
})

/** Settles channels, and says what is to be done next about them. */
export async function settle(ctx: Context, finished: readonly Finished[]): Promise<Job[]> {
  if (finished.length === 0) return []
  const settled = await ctx.resources.get(createSettleBatcher, ctx)(ctx, finished)
  if (finished.some(({ result }) => result.kind === 'later')) ctx.engine.wakeWorkers()
  await reportDeadTokens(ctx, settled, finished)
  return settled.flatMap((row) => jobsAfter(row, finished))
}

/** A channel refused for its token speaks for its whole connection. */
async function reportDeadTokens(ctx: Context, settled: readonly ChangedChannel[], finished: readonly Finished[]): Promise<void> {
  for (const { ref, result } of finished) {
    if (result.kind !== 'failed' || result.error.code !== 'reconnect_needed') continue
    const row = settled.find(({ id }) => id === ref.channelId)
    if (row) await requestReconnect(ctx, { workspaceId: row.workspace_id, id: row.connection_id }, result.error.message)
  }
}

function settlementOf({ ref, postId, result }: Finished): Settlement {
  const none = {
    ref,
    postId,
    postUrl: null,
    platformPostId: null,
    publishedAt: null,
    dispatchAt: null,
    reference: null,
    renewToken: false,
    error: null,
    warnings: '[]',
  }
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
        dispatchAt: new Date(result.atMs),
        renewToken: result.renew,
        error: JSON.stringify(result.error),
      }
  }
}

function jobsAfter(row: ChangedChannel, finished: readonly Finished[]): Job[] {
  const ref = { workspaceId: row.workspace_id, channelId: row.id, generation: row.generation }
  if (row.state === 'published') return row.comment_state === 'waiting' ? [commentJob(ref)] : []
  if (row.state !== 'confirming') return []
  const result = finished.find((each) => each.ref.channelId === row.id)?.result
  return [checkJob(ref, 0, result?.kind === 'processing' ? result.checkAfterMs : 1000)]
}
