import type { Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { findPost, type PostWithChannels } from './post.store.ts'

/** The post with this id or requestId; unknown and foreign ones look the same. */
export async function loadPost({ tx, principal }: Asked, id: string): Promise<PostWithChannels> {
  const found = await findPost(tx, { workspaceId: principal.workspaceId, id })
  if (!found) throw problem('post_not_found')
  return found
}

/** The same, kept still until the transaction ends: nobody else changes it, and the engine waits. */
export async function lockPost({ tx, principal }: Asked, id: string): Promise<PostWithChannels> {
  const found = await findPost(tx, { workspaceId: principal.workspaceId, id }, true)
  if (!found) throw problem('post_not_found')
  return found
}
