import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findForUpdate, type PostWithChannels } from './post.store.ts'
import { findPostView, type PostView } from './reading/post-view.store.ts'

/** The post with this id or requestId, for reading. A post of another workspace is answered like one that does not exist. */
export async function loadPost({ tx, principal }: RequestScope, id: string): Promise<PostView> {
  const found = await findPostView(tx, { workspaceId: principal.workspaceId, id })
  if (!found) throw problem('post_not_found')
  return found
}

/** The full rows of the post and its channels, locked until the transaction ends, also against the publishing engine. */
export async function lockPost({ tx, principal }: RequestScope, id: string): Promise<PostWithChannels> {
  const found = await findForUpdate(tx, { workspaceId: principal.workspaceId, id })
  if (!found) throw problem('post_not_found')
  return found
}
