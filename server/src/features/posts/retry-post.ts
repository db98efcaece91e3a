import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findConnections } from '../connections/find-connections.ts'
import { insertChannelEvents } from './channel-event.store.ts'
import { isComment, replaceCommentWarnings, retryParts, type RetriedPart } from './part.store.ts'
import { loadPost, lockPost } from './load-post.ts'
import { fieldsFromRow } from './post-fields.ts'
import { moveChannels, updatePost, type ChannelRow } from './post.store.ts'
import { showPost } from './reading/present-post.ts'
import { permitRelease } from './release/permit-release.ts'
import { requireConnected } from './resolve-targets.ts'

/**
 * Sends only the failed channels and the failed first comments again, of all channels or of those that `only` names. A thread goes on with
 * the post that failed. An unconfirmed channel must be resolved first, because it may have been published.
 */
export async function retryPost(scope: RequestScope, id: string, only?: readonly string[]): Promise<Post> {
  const { ctx, tx, principal, nowMs } = scope
  const { post, channels: all } = await lockPost(scope, id)
  if (only?.some((channelId) => all.every((channel) => channel.id !== channelId))) throw problem('channel_not_found')
  const channels = only ? all.filter((channel) => only.includes(channel.id)) : all
  const failed = channels.filter(({ state }) => state === 'failed')
  const key = { workspaceId: principal.workspaceId, id: post.id }
  // Before anything is written, because a refused post of many does not undo the others.
  const again = channels.filter(({ state, parts }) => state === 'failed' || parts > 1)
  if (again.length === 0) throw nothingToRetry(channels)
  const slugs = again.map((channel) => channel.connection_slug)
  await permitRelease(scope, { postId: post.id, dueAt: new Date(nowMs), fields: fieldsFromRow(post), slugs })
  const retried = await retryParts(
    tx,
    key,
    channels.filter(({ parts }) => parts > 1).map((channel) => channel.id),
  )
  const hasRetried = (isWanted: (part: RetriedPart) => boolean) => (channel: ChannelRow) =>
    retried.some((part) => part.channel_id === channel.id && isWanted(part))
  const comments = channels.filter(hasRetried(isComment))
  const threads = channels.filter(hasRetried((part) => !isComment(part)))
  if (failed.length === 0 && retried.length === 0) throw nothingToRetry(channels)
  const known = await findConnections(
    scope,
    [...failed, ...threads, ...comments].map((channel) => channel.connection_slug),
  )
  requireConnected([...known.values()])

  const now = new Date(nowMs)
  const channelIds = failed.map((channel) => channel.id)
  const isSending = failed.length + threads.length > 0
  await updatePost(tx, key, { ...(isSending && { status: 'publishing', pending_error: null }), updated_at: now })
  await moveChannels(tx, key, { channelIds, transition: 'retry', change: { due_at: now, dispatch_at: now } })
  await insertChannelEvents(
    tx,
    [...failed, ...threads].map((channel) => ({
      workspace_id: key.workspaceId,
      post_id: key.id,
      channel_id: channel.id,
      at: now,
      stage: 'queued' as const,
      attempt: channel.attempts,
      code: null,
      platform_code: null,
      message: null,
      retry_at: null,
    })),
  )
  await replaceCommentWarnings(
    tx,
    comments.map(({ workspace_id, id: channel_id }) => ({ workspace_id, channel_id, warning: null })),
  )
  scope.afterCommit(() => ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}

function nothingToRetry(channels: readonly ChannelRow[]): Error {
  const hasUnconfirmed = channels.some(({ state }) => state === 'unconfirmed' || state === 'doubted')
  return problem(
    'nothing_to_retry',
    hasUnconfirmed ? { message: 'No channel has failed; an unconfirmed one must be resolved before it can be sent again.' } : {},
  )
}
