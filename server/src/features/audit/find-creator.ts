import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { findActor, findPersonName } from './audit.store.ts'

/** Who created a post. Null after the audit log was trimmed. */
export async function findCreator(
  { ctx, tx, principal }: RequestScope,
  postId: string,
): Promise<NonNullable<Post['createdBy']> | null> {
  const actor = await findActor(tx, principal.workspaceId, { action: 'post.create', subjectId: postId })
  if (!actor) return null
  const { person_id: userId, api_key_id: apiKeyId } = actor
  return { userId, name: userId === null ? null : await findPersonName(ctx.db.system, userId), apiKeyId }
}
