import { PlatformError } from '@carillon/connectors'
import type { ReturnsOf, content } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Principal } from '../../infra/http/principal.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findConnection } from '../connections/connection.store.ts'
import { type ConnectionAccess, openClient } from '../connections/open-client.ts'
import { lockPost } from './load-post.ts'
import { type ChannelRow, deletePost } from './post.store.ts'
import { type ChannelViewRow, findPostView } from './reading/post-view.store.ts'
import { requireChangeable } from './release/allowed-posts.ts'

/** Deletes a post here for good, and returns its id and the channels that it had. Nothing is deleted on the platforms. */
export async function removePost(scope: RequestScope, id: string): Promise<{ postId: string; channels: ChannelRow[] }> {
  const { post, channels } = await lockPost(scope, id)
  await deletePost(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.id })
  return { postId: post.id, channels }
}

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

/** What happened to one channel of a deleted post. */
type Removal = NonNullable<ReturnsOf<typeof content.remove>>['channels'][number]

type PublishedChannel = Pick<ChannelRow, 'id' | 'connection_slug'> & { platform_post_id: string }

/** True if the channel is published and its platform id is known, so that it can be deleted on the platform. */
function isOnPlatform<T extends Pick<ChannelRow, 'state' | 'platform_post_id'>>(
  channel: T,
): channel is T & { platform_post_id: string } {
  return channel.state === 'published' && Boolean(channel.platform_post_id)
}

/** Deletes one channel on its platform. It calls the platform, so it must not run inside a transaction. */
export async function unpublishChannel(
  ctx: Context,
  channel: PublishedChannel,
  connection: ConnectionAccess | undefined,
): Promise<Removal> {
  const describe = (outcome: Removal['outcome'], message: string | null): Removal => ({
    id: channel.id,
    connection: channel.connection_slug,
    outcome,
    message,
  })
  if (!connection) return describe('failed', 'The connection is no longer there.')
  const { connector, client } = openClient(ctx, connection)
  if (!connector.remove) return describe('not_supported', `${connector.manifest.name} does not let a program delete posts.`)
  try {
    await connector.remove(client, channel.platform_post_id)
    return describe('removed', null)
  } catch (error) {
    return describe('failed', error instanceof PlatformError ? error.message : 'Something went wrong on our side.')
  }
}
