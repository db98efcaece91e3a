import type { BodyOf, Post, content } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { loadPost, lockPost } from '../load-post.ts'
import { updatePost } from '../post.store.ts'
import { checkStored } from '../publish-draft.ts'
import { showPost } from '../reading/show-post.ts'
import { requireUnchanged } from '../require-unchanged.ts'
import { changedTime } from '../update-draft.ts'
import { recordSubmission } from './record-decision.ts'

/** Submits a draft for approval. It is checked like a post that is published. */
export async function submitPost(
  scope: RequestScope,
  id: string,
  { comment, ...time }: BodyOf<typeof content.submit>,
): Promise<Post> {
  const { post } = await lockPost(scope, id)
  if (post.status !== 'draft') throw problem('not_a_draft')
  await requireUnchanged(scope, post)
  const { at, wall, timezone } = changedTime(post, time, scope.nowMs)
  const key = { workspaceId: post.workspace_id, id: post.id }
  await updatePost(scope.tx, key, { scheduled_at: at, scheduled_wall: wall, timezone })
  const changed = await lockPost(scope, post.id)
  await checkStored(scope, changed)
  await recordSubmission(scope, changed, comment)
  return showPost(scope, await loadPost(scope, post.id))
}
