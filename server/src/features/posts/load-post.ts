import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findLocked, type PostWithChannels } from './post.store.ts'
import { findShownPost, type Shown } from './reading/shown-post.store.ts'

/** The post with this id or requestId, to be shown; unknown and foreign ones look the same. */
export async function loadPost({ tx, principal }: RequestScope, id: string): Promise<Shown> {
  const found = await findShownPost(tx, { workspaceId: principal.workspaceId, id })
  if (!found) throw problem('post_not_found')
  return found
}

/** The post with everything the tables know of it, kept still until the transaction ends: nobody else changes it, and the engine waits. */
export async function lockPost({ tx, principal }: RequestScope, id: string): Promise<PostWithChannels> {
  const found = await findLocked(tx, { workspaceId: principal.workspaceId, id })
  if (!found) throw problem('post_not_found')
  return found
}
