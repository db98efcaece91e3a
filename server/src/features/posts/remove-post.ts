import { PlatformError } from '@carillon/connectors'
import type { ReturnsOf, content } from '@carillon/contract'
import { findConnection } from '../connections/connection.store.ts'
import { openClient } from '../connections/open-client.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { lockPost } from './load-post.ts'
import { deletePost, type ChannelRow } from './post.store.ts'

type Removal = NonNullable<ReturnsOf<typeof content.remove>>['channels'][number]

/** Removes the post here, for good. With `unpublish`, also where it was published, and says per channel what happened. */
export async function removePost(scope: RequestScope, id: string, unpublish: boolean): Promise<ReturnsOf<typeof content.remove>> {
  const { post, channels } = await lockPost(scope, id)
  const removals = unpublish ? await Promise.all(channels.map((channel) => unpublishChannel(scope, channel))) : null
  await deletePost(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.id })
  return removals && { channels: removals }
}

async function unpublishChannel({ ctx, tx }: RequestScope, channel: ChannelRow): Promise<Removal> {
  const say = (outcome: Removal['outcome'], message: string | null): Removal => ({
    id: channel.id,
    connection: channel.connection_slug,
    outcome,
    message,
  })
  if (channel.state !== 'published' || !channel.platform_post_id)
    return say('not_published', 'It was not published, or its id there is not known.')
  const access = await findConnection(tx, channel.workspace_id, channel.connection_id)
  if (!access) return say('failed', 'The connection is no longer there.')
  const { connector, client } = openClient(ctx, access)
  if (!connector.remove) return say('not_supported', `${connector.manifest.name} does not let a program delete posts.`)
  try {
    await connector.remove(client, channel.platform_post_id)
    return say('removed', null)
  } catch (error) {
    return say('failed', error instanceof PlatformError ? error.message : 'Something went wrong on our side.')
  }
}
