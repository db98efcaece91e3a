import { PlatformError } from '@carillon/connectors'
import type { ReturnsOf, content } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { openClient, type ConnectionAccess } from '../connections/open-client.ts'
import type { ChannelRow } from './post.store.ts'

/** What happened to one channel of a deleted post. */
export type Removal = NonNullable<ReturnsOf<typeof content.remove>>['channels'][number]

type PublishedChannel = Pick<ChannelRow, 'id' | 'connection_slug'> & { platform_post_id: string }

/** True if the channel is published and its platform id is known, so that it can be deleted on the platform. */
export function isOnPlatform<T extends Pick<ChannelRow, 'state' | 'platform_post_id'>>(
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
