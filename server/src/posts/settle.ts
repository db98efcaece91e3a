import type { EventName } from '@carillon/contract'
import { finalStatus, isFinal, type ChannelState } from '@carillon/core'
import { needsReconnect } from '../connections/needs-reconnect.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/db.ts'
import type { Errand } from '../engine/engine.ts'
import { noteEvents, type Happening } from '../events/note-events.ts'
import { checkErrand, commentErrand, type Ticket } from './errands.ts'
import { gather } from './gather.ts'
import type { Result } from './result.ts'
import {
  findPostStates,
  finishPosts,
  lockPosts,
  settleChannels,
  type PostKey,
  type Settled,
  type Settlement,
} from './settle.store.ts'

export type Finished = { ticket: Ticket; postId: string; result: Exclude<Result, { kind: 'unknown' }> }

const channelEvent: Partial<Record<ChannelState, EventName>> = {
  published: 'channel.published',
  failed: 'channel.failed',
  unconfirmed: 'channel.unconfirmed',
}

/** Writes what became of channels, computes their posts' status and notes the events, all in one transaction. */
async function settleAll(ctx: Context, finished: readonly Finished[]): Promise<Settled[]> {
  const settlements = finished.map(settlementOf)
  return ctx.db.system.transaction().execute(async (tx) => {
    await lockPosts(tx, settlements)
    const rows = await settleChannels(tx, settlements)
    await concludePosts(tx, rows, ctx.nowMs())
    return rows
  })
}

const settleMax = 500

const settleTogether = gather<Finished, Settled[]>({
  max: settleMax,
  keyOf: ({ ticket }) => ticket.channelId,
  work: settleAll,
  share(settled, finished) {
    const mine = new Set(finished.map(({ ticket }) => ticket.channelId))
    return settled.filter(({ id }) => mine.has(id))
  },
})

/** Settles channels, and says what is to be done next about them. */
export async function settle(ctx: Context, finished: readonly Finished[]): Promise<Errand[]> {
  if (finished.length === 0) return []
  const settled = await settleTogether(ctx, finished)
  if (finished.some(({ result }) => result.kind === 'later')) ctx.engine.nudge()
  await reportDeadTokens(ctx, settled, finished)
  return settled.flatMap((row) => errandsAfter(row, finished))
}

/** The status of every post touched, from all its channels; the one place it is computed when channels end. */
export async function concludePosts(tx: Tx, rows: readonly Settled[], nowMs: number): Promise<void> {
  const ended = rows.filter(({ state }) => isFinal(state))
  if (ended.length === 0) return
  const posts = new Map<string, PostKey>(
    ended.map((row) => [row.post_id, { workspaceId: row.workspace_id, postId: row.post_id }]),
  )
  const final = (await findPostStates(tx, [...posts.values()])).flatMap((post) => {
    const status = finalStatus(post.states)
    return status ? [{ ...post, status }] : []
  })
  await finishPosts(tx, final)
  const channels = ended.flatMap(({ state, workspace_id, post_id, id }): Happening[] => {
    const event = channelEvent[state]
    return event ? [{ workspaceId: workspace_id, event, postId: post_id, channelId: id, atMs: nowMs }] : []
  })
  const uploads = final.map(({ workspaceId, postId, status }): Happening => ({
    workspaceId,
    postId,
    event: `upload.${status}`,
    atMs: nowMs,
  }))
  await noteEvents(tx, [...channels, ...uploads])
}

/** A channel refused for its token speaks for its whole connection. */
async function reportDeadTokens(ctx: Context, settled: readonly Settled[], finished: readonly Finished[]): Promise<void> {
  for (const { ticket, result } of finished) {
    if (result.kind !== 'failed' || result.error.code !== 'reconnect_needed') continue
    const row = settled.find(({ id }) => id === ticket.channelId)
    if (row) await needsReconnect(ctx, { workspaceId: row.workspace_id, id: row.connection_id }, result.error.message)
  }
}

function settlementOf({ ticket, postId, result }: Finished): Settlement {
  const none = {
    ticket,
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

function errandsAfter(row: Settled, finished: readonly Finished[]): Errand[] {
  const ticket = { workspaceId: row.workspace_id, channelId: row.id, generation: row.generation }
  if (row.state === 'published') return row.comment_state === 'waiting' ? [commentErrand(ticket)] : []
  if (row.state !== 'confirming') return []
  const result = finished.find((each) => each.ticket.channelId === row.id)?.result
  return [checkErrand(ticket, 0, result?.kind === 'processing' ? result.checkAfterMs : 1000)]
}
