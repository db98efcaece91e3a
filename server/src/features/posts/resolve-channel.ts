import type { Post } from '@carillon/contract'
import { channelTransitions } from '@carillon/core'
import type { Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { insertChannelEvents } from './channel-event.store.ts'
import { channelError, threadStopped } from './channel-error.ts'
import {
  findUnconfirmedPart,
  insertNextParts,
  replaceCommentWarnings,
  unknownPostWarning,
  type ChangedPart,
} from './part.store.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels, type PartRow } from './post.store.ts'
import { showPost } from './reading/show-post.ts'
import { updatePostStatuses } from './update-post-statuses.ts'

type Resolution = { outcome: 'published' | 'not_published'; postUrl?: string }

/** Sets the outcome of an unconfirmed channel after a person has checked the platform. */
export async function resolveChannel(
  scope: RequestScope,
  { id, channelId }: { id: string; channelId: string },
  { outcome, postUrl }: Resolution,
): Promise<Post> {
  const { tx, principal, nowMs } = scope
  const { post, channels } = await lockPost(scope, id)
  const channel = channels.find((candidate) => candidate.id === channelId)
  if (!channel) throw problem('channel_not_found')
  const key = { workspaceId: principal.workspaceId, id: post.id }
  const part = await findUnconfirmedPart(tx, key, channel.id)
  if (!part) throw problem('not_unconfirmed')

  const publishedAt = part.submitted_at ?? new Date(nowMs)
  const isPublished = outcome === 'published'
  const change = isPublished
    ? {
        post_url: postUrl ?? null,
        published_at: publishedAt,
        finished_at: publishedAt,
        error: null,
      }
    : { error: JSON.stringify(channelError('not_published')) }
  const transition = isPublished ? 'resolvePublished' : 'resolveNotPublished'
  await moveChannels(tx, key, { channelIds: [part.id], transition, change })
  await insertChannelEvents(tx, [
    {
      workspace_id: key.workspaceId,
      post_id: key.id,
      channel_id: channel.id,
      at: new Date(nowMs),
      stage: 'resolved',
      attempt: part.attempts,
      code: outcome,
      platform_code: null,
      message: null,
      retry_at: null,
    },
  ])
  if (isPublished && part.number === part.thread_parts && part.parts > part.number + 1)
    await replaceCommentWarnings(tx, [{ workspace_id: key.workspaceId, channel_id: channel.id, warning: unknownPostWarning }])
  const rest = isPublished && part.number < part.thread_parts ? await endThread(tx, part, nowMs) : []
  const { state } = rest[0] ?? { state: channelTransitions[transition].to }
  await updatePostStatuses(tx, [{ ...part, id: channel.id, state }], nowMs)
  return showPost(scope, await loadPost(scope, post.id))
}

/** The rest of a thread needs, as a first comment does, the platform's id of the post before it, and a person gives the address only. */
function endThread(tx: Tx, part: PartRow, nowMs: number): Promise<ChangedPart[]> {
  const next = { workspaceId: part.workspace_id, id: newId(nowMs), afterId: part.id, needsStage: false, afterMs: 0 }
  return insertNextParts(tx, [{ ...next, transition: 'followInVain', error: JSON.stringify(threadStopped) }])
}
