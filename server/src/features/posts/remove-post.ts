import type { RequestScope } from '../../infra/http/request-scope.ts'
import { lockPost } from './load-post.ts'
import { deletePost, type ChannelRow } from './post.store.ts'

/** Deletes a post here for good, and returns its id and the channels that it had. Nothing is deleted on the platforms. */
export async function removePost(scope: RequestScope, id: string): Promise<{ postId: string; channels: ChannelRow[] }> {
  const { post, channels } = await lockPost(scope, id)
  await deletePost(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.id })
  return { postId: post.id, channels }
}
