import type { EventName } from '@carillon/contract'
import { finalStatus, isFinal, type ChannelState } from '@carillon/core'
import type { Tx } from '../../infra/db/db.ts'
import { recordEvents, type DomainEvent } from '../events/outbox.store.ts'
import { findPostStates, finishPosts, type PostRef } from './post-status.store.ts'

/** A channel that has just changed its state. */
export type ChangedChannel = {
  workspace_id: string
  id: string
  post_id: string
  state: ChannelState
  generation: number
  connection_id: string
}

const channelEvent: Partial<Record<ChannelState, EventName>> = {
  published: 'channel.published',
  failed: 'channel.failed',
  unconfirmed: 'channel.unconfirmed',
  doubted: 'channel.unconfirmed',
}

/** Computes the status of every post that has newly finished channels, and records the events. No other code ends a post. */
export async function updatePostStatuses(tx: Tx, rows: readonly ChangedChannel[], nowMs: number): Promise<void> {
  const finished = rows.filter(({ state }) => isFinal(state))
  if (finished.length === 0) return
  const posts = new Map<string, PostRef>(
    finished.map((row) => [row.post_id, { workspaceId: row.workspace_id, postId: row.post_id }]),
  )
  const final = (await findPostStates(tx, [...posts.values()])).flatMap((post) => {
    const status = finalStatus(post.states)
    return status ? [{ ...post, status }] : []
  })
  await finishPosts(tx, final)
  const channels = finished.flatMap(({ state, workspace_id, post_id, id }): DomainEvent[] => {
    const event = channelEvent[state]
    return event ? [{ workspaceId: workspace_id, event, postId: post_id, channelId: id, atMs: nowMs }] : []
  })
  const uploads = final.map(({ workspaceId, postId, status }): DomainEvent => ({
    workspaceId,
    postId,
    event: `upload.${status}`,
    atMs: nowMs,
  }))
  await recordEvents(tx, [...channels, ...uploads])
}
