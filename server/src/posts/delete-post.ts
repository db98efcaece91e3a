import { PlatformError } from '@carillon/connectors'
import type { ReturnsOf, content } from '@carillon/contract'
import { findSpeaker } from '../connections/find-speaker.ts'
import { openClient } from '../connections/open-client.ts'
import type { Asked } from '../http/call.ts'
import { lockPost } from './load-post.ts'
import { deletePost, type ChannelRow } from './post.store.ts'

type Removal = NonNullable<ReturnsOf<typeof content.remove>>['channels'][number]

/** Removes the post here, for good. With `unpublish`, also where it was published, and says per channel what happened. */
export async function removePost(asked: Asked, id: string, unpublish: boolean): Promise<ReturnsOf<typeof content.remove>> {
  const { post, channels } = await lockPost(asked, id)
  const removals = unpublish ? await Promise.all(channels.map((channel) => unpublishChannel(asked, channel))) : null
  await deletePost(asked.tx, { workspaceId: asked.principal.workspaceId, id: post.id })
  return removals && { channels: removals }
}

async function unpublishChannel({ ctx, tx }: Asked, channel: ChannelRow): Promise<Removal> {
  const say = (outcome: Removal['outcome'], message: string | null): Removal => ({
    id: channel.id,
    connection: channel.connection_slug,
    outcome,
    message,
  })
  if (channel.state !== 'published' || !channel.platform_post_id)
    return say('not_published', 'It was not published, or its id there is not known.')
  const speaker = await findSpeaker(tx, { workspaceId: channel.workspace_id, id: channel.connection_id })
  if (!speaker) return say('failed', 'The connection is no longer there.')
  const { connector, client } = openClient(ctx, speaker)
  if (!connector.remove) return say('not_supported', `${connector.manifest.name} does not let a program delete posts.`)
  try {
    await connector.remove(client, channel.platform_post_id)
    return say('removed', null)
  } catch (error) {
    return say('failed', error instanceof PlatformError ? error.message : 'Something went wrong on our side.')
  }
}
