import type { Post } from '@carillon/contract'
import type { Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { channelError } from './judge-failure.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels } from './post.store.ts'
import { showPost } from './show-post.ts'
import { concludePosts } from './settle.ts'

type Said = { outcome: 'published' | 'not_published'; postUrl?: string }

/** A person looked at the platform and says what became of an unconfirmed channel. */
export async function resolveChannel(
  asked: Asked,
  { id, channelId }: { id: string; channelId: string },
  { outcome, postUrl }: Said,
): Promise<Post> {
  const { tx, principal, nowMs } = asked
  const { post, channels } = await lockPost(asked, id)
  const channel = channels.find((each) => each.id === channelId)
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
  await concludePosts(tx, [{ ...channel, state: change.state }], nowMs)
  return showPost(asked, await loadPost(asked, post.id))
}
