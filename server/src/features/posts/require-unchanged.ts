import { etagOf, matchesETag } from '../../infra/http/etag.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { loadPost } from './load-post.ts'
import type { PostRow } from './post.store.ts'
import { showPost } from './reading/show-post.ts'

/** Refuses a change of a version that is no longer the stored one, and answers with the current post. The post must be locked. */
export async function requireUnchanged(scope: RequestScope, post: PostRow): Promise<void> {
  if (scope.ifMatch === null || matchesETag(scope.ifMatch, etagOf(post.updated_at))) return
  throw problem('draft_changed', { current: await showPost(scope, await loadPost(scope, post.id)) })
}
