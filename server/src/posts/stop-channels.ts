import type { Asked } from '../http/call.ts'
import { channelError } from './judge-failure.ts'
import { cancelChannels } from './post.store.ts'
import { concludePosts } from './settle.ts'

/** Stops what has not been sent on a connection that goes away, and ends the posts that have nothing else to do. */
export async function stopChannels({ tx, principal, nowMs }: Asked, connectionId: string): Promise<void> {
  const canceled = await cancelChannels(
    tx,
    principal.workspaceId,
    connectionId,
    JSON.stringify(channelError('connection_removed')),
  )
  await concludePosts(tx, canceled, nowMs)
}
