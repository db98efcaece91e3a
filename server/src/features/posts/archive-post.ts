import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { loadPost, lockPost } from './load-post.ts'
import { updatePost } from './post.store.ts'
import { showPost } from './reading/show-post.ts'

/** Sets or clears the flag. It hides a post from the list and stops nothing. */
export async function archivePost(scope: RequestScope, id: string, archived: boolean): Promise<Post> {
  const { post } = await lockPost(scope, id)
  const now = new Date(scope.nowMs)
  const change = { archived_at: archived ? (post.archived_at ?? now) : null, updated_at: now }
  await updatePost(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.id }, change)
  return showPost(scope, await loadPost(scope, post.id))
}
