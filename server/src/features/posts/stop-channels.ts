import type { RemovalScope } from '../connections/disconnect.ts'
import { channelError } from './channel-error.ts'
import { cancelChannels } from './post.store.ts'
import { updatePostStatuses } from './update-post-statuses.ts'

/** Cancels the unsent channels of a connection that is being removed, and completes posts that have no other channel left. */
export async function stopChannels({ tx, principal, nowMs }: RemovalScope, connectionId: string): Promise<void> {
  const canceled = await cancelChannels(
    tx,
    principal.workspaceId,
    connectionId,
    JSON.stringify(channelError('connection_removed')),
  )
  await updatePostStatuses(tx, canceled, nowMs)
}
