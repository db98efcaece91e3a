import type { Post } from '@carillon/contract'
import type { Asked } from '../http/call.ts'
import { loadPost, lockPost } from './load-post.ts'
import { updatePost } from './post.store.ts'
import { showPost } from './show-post.ts'

/** Sets or clears the flag. It hides a post from the list and stops nothing. */
export async function archivePost(asked: Asked, id: string, archived: boolean): Promise<Post> {
  const { post } = await lockPost(asked, id)
  const now = new Date(asked.nowMs)
  const change = { archived_at: archived ? (post.archived_at ?? now) : null, updated_at: now }
  await updatePost(asked.tx, { workspaceId: asked.principal.workspaceId, id: post.id }, change)
  return showPost(asked, await loadPost(asked, post.id))
}
