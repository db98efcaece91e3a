import type { Post } from '@carillon/contract'
import { channelTransitions } from '@carillon/core'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { insertChannelEvents } from './channel-event.store.ts'
import { channelError } from './channel-error.ts'
import { unknownPostWarning } from './comment-warnings.store.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels, type ChannelRow, type ChannelUpdate } from './post.store.ts'
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
  if (channel.state !== 'unconfirmed' && channel.state !== 'doubted') throw problem('not_unconfirmed')

  const publishedAt = channel.submitted_at ?? new Date(nowMs)
  const isPublished = outcome === 'published'
  const change = isPublished
    ? {
        post_url: postUrl ?? null,
        published_at: publishedAt,
        finished_at: publishedAt,
        error: null,
        ...withoutComment(channel),
      }
    : { error: JSON.stringify(channelError('not_published')) }
  const key = { workspaceId: principal.workspaceId, id: post.id }
  const transition = isPublished ? 'resolvePublished' : 'resolveNotPublished'
  await moveChannels(tx, key, { channelIds: [channel.id], transition, change })
  await insertChannelEvents(tx, [
    {
      workspace_id: key.workspaceId,
      post_id: key.id,
      channel_id: channel.id,
      at: new Date(nowMs),
      stage: 'resolved',
      attempt: channel.attempts,
      code: outcome,
      platform_code: null,
      message: null,
      retry_at: null,
    },
  ])
  await updatePostStatuses(tx, [{ ...channel, state: channelTransitions[transition].to }], nowMs)
  return showPost(scope, await loadPost(scope, post.id))
}

/** A comment needs the platform's id of the post, and a person gives the address only. */
function withoutComment({ parts, warnings }: ChannelRow): ChannelUpdate {
  return parts > 1 ? { warnings: JSON.stringify([...warnings, unknownPostWarning]) } : {}
}
