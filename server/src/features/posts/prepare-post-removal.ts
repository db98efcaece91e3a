import type { ReturnsOf, content } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { Answer } from '../../infra/http/request-scope.ts'
import type { Principal } from '../../infra/http/principal.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { problem } from '../../infra/problem/problem.ts'
import type { ConnectionAccess } from '../connections/open-client.ts'
import { findConnection } from '../connections/connection.store.ts'
import type { ChannelRow } from './post.store.ts'
import { findPostView, type ChannelViewRow } from './reading/post-view.store.ts'
import { requireChangeable } from './release/allowed-posts.ts'
import { removePost } from './remove-post.ts'
import { isOnPlatform, unpublishChannel, type Removal } from './unpublish-channel.ts'

type Call = {
  ctx: Context
  principal: Principal
  params: { id: string }
  query: { unpublish?: 'true' | 'false' }
}

/** The result of one call of a platform. */
type Attempt = { platformPostId: string; removal: Removal }

/**
 * Prepares the deletion of a post. With `unpublish` it is first deleted on the platforms, while no transaction is open: a platform may take
 * as long as its timeout, and a transaction would hold a database connection and the locks on the post for that time.
 */
export async function preparePostRemoval(call: Call): Promise<Prepared<ReturnsOf<typeof content.remove>>> {
  const { id } = call.params
  const attempts = call.query.unpublish === 'true' ? await unpublishChannels(call) : null
  return {
    fingerprint: null,
    async store(scope) {
      const { postId, channels } = await removePost(scope, id)
      const removals = attempts && channels.map((channel) => describeRemoval(channel, attempts.get(channel.id)))
      return new Answer(removals && { channels: removals }, { subjectId: postId })
    },
    // A post that was deleted on a platform cannot be restored there.
    discard: () => Promise.resolve(),
  }
}

/** Deletes the published channels of a post on their platforms, all at once. Returns the attempts by channel id. */
async function unpublishChannels({ ctx, principal, params }: Call): Promise<Map<string, Attempt>> {
  const { workspaceId } = principal
  const published = await ctx.db.readOnly(workspaceId, async (tx) => {
    const found = await findPostView(tx, { workspaceId, id: params.id })
    if (!found) throw problem('post_not_found')
    // A platform is called before the post is locked, and what it has deleted cannot be restored.
    requireChangeable(principal, found)
    const onPlatform = found.channels.filter(isOnPlatform)
    return Promise.all(
      onPlatform.map(async (channel) => ({ channel, connection: await findConnection(tx, workspaceId, channel.connection_id) })),
    )
  })
  const attempts = await Promise.all(
    published.map(async ({ channel, connection }): Promise<[string, Attempt]> => {
      const removal = await unpublishThread(ctx, channel, connection)
      return [channel.id, { platformPostId: channel.platform_post_id, removal }]
    }),
  )
  return new Map(attempts)
}

/** Deletes the posts of a thread, the last first, so that what is left if one cannot be deleted is still a thread. */
async function unpublishThread(
  ctx: Context,
  channel: ChannelViewRow & { platform_post_id: string },
  connection: ConnectionAccess | undefined,
): Promise<Removal> {
  const further = channel.further.filter((part) => part.number <= channel.thread_parts).filter(isOnPlatform)
  for (const { platform_post_id } of further.toReversed()) {
    const removal = await unpublishChannel(ctx, { ...channel, platform_post_id }, connection)
    if (removal.outcome !== 'removed') return removal
  }
  return unpublishChannel(ctx, channel, connection)
}

/** The channel may have changed since the platforms were called, so only an attempt for the same platform post counts. */
function describeRemoval(channel: ChannelRow, attempt: Attempt | undefined): Removal {
  if (attempt && attempt.platformPostId === channel.platform_post_id) return attempt.removal
  const identity = { id: channel.id, connection: channel.connection_slug }
  if (!isOnPlatform(channel))
    return { ...identity, outcome: 'not_published', message: 'It was not published, or its id there is not known.' }
  const where = channel.post_url ? `: ${channel.post_url}` : ''
  return {
    ...identity,
    outcome: 'failed',
    message: `It was published while the post was being deleted, and is still there${where}`,
  }
}
