import { etagOf, matchesETag } from '../../infra/http/etag.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockKey } from '../api-keys/api-key.store.ts'
import { type PostRow, type PostWithChannels, findForUpdate } from './post.store.ts'
import { type PostView, findPostView } from './reading/post-view.store.ts'
import { showPost } from './reading/present-post.ts'
import { requireChangeable } from './release/allowed-posts.ts'

/** The post with this id or requestId, for reading. A post of another workspace is answered like one that does not exist. */
export async function loadPost({ tx, principal }: RequestScope, id: string): Promise<PostView> {
  const found = await findPostView(tx, { workspaceId: principal.workspaceId, id })
  if (!found) throw problem('post_not_found')
  return found
}

/**
 * The full rows of the post and its channels, locked until the transaction ends, also against the publishing engine. Whatever changes a post
 * comes through here, so this is where an API key is held to its accounts and its scopes.
 */
export async function lockPost({ tx, principal }: RequestScope, id: string): Promise<PostWithChannels> {
  const { workspaceId, apiKeyId, limits } = principal
  // A key that counts is locked before the post: two requests that lock in different orders would wait for each other for ever.
  const isCounted = limits.posting?.postsPerDay !== undefined || limits.posting?.onDuplicate === 'refuse'
  if (isCounted && apiKeyId !== null) await lockKey(tx, { workspaceId, id: apiKeyId })
  const found = await findForUpdate(tx, { workspaceId, id })
  if (!found) throw problem('post_not_found')
  requireChangeable(principal, found)
  return found
}

/** Refuses a change of a version that is no longer the stored one, and answers with the current post. The post must be locked. */
export async function requireUnchanged(scope: RequestScope, post: PostRow): Promise<void> {
  if (scope.ifMatch === null || matchesETag(scope.ifMatch, etagOf(post.updated_at))) return
  throw problem('draft_changed', { current: await showPost(scope, await loadPost(scope, post.id)) })
}
