import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { channelError } from './channel-error.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels } from './post.store.ts'
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
  if (channel.state !== 'unconfirmed') throw problem('not_unconfirmed')

  const publishedAt = channel.submitted_at ?? new Date(nowMs)
  const change =
    outcome === 'published'
      ? ({
          state: 'published',
          post_url: postUrl ?? null,
          published_at: publishedAt,
          finished_at: publishedAt,
          error: null,
        } as const)
      : ({ state: 'failed', error: JSON.stringify(channelError('not_published')) } as const)
  await moveChannels(tx, { workspaceId: principal.workspaceId, id: post.id }, [channel.id], change)
  await updatePostStatuses(tx, [{ ...channel, state: change.state }], nowMs)
  return showPost(scope, await loadPost(scope, post.id))
}
