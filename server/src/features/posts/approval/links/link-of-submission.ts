import type { SubmissionLink } from '@carillon/contract'
import { newId } from '../../../../infra/db/ids.ts'
import { linkOf, newToken } from '../../../../infra/http/link-secret.ts'
import type { RequestScope } from '../../../../infra/http/request-scope.ts'
import type { PostRow } from '../../post.store.ts'
import { insertLink } from './approval-link.store.ts'

/** For so long a link works, if nothing ends it before. */
export const linkLastsMs = 14 * 86_400_000

/**
 * The address that a program hands to its person: the page shows what each account would publish, and an approver who is signed in decides there. What
 * a program can read it can also open, so this link lends no right, whatever the rule is: without a session it decides nothing. It ends with the
 * next submission. Null for people, who find the post in the web app.
 */
export async function linkOfSubmission(
  { ctx, tx, principal, nowMs }: RequestScope,
  { id: postId, approval_revision: revision }: Pick<PostRow, 'id' | 'approval_revision'>,
): Promise<SubmissionLink | null> {
  const { workspaceId, personId, apiKeyId } = principal
  if (apiKeyId === null || revision === null) return null
  const { token, hash } = newToken()
  const expiresAt = new Date(nowMs + linkLastsMs)
  const row = {
    workspace_id: workspaceId,
    id: newId(nowMs),
    token_hash: hash,
    name: null,
    email: null,
    mailed: false,
    of_submission: true,
    person_id: personId,
    api_key_id: apiKeyId,
    created_at: new Date(nowMs),
    expires_at: expiresAt,
    revoked_at: null,
  }
  await insertLink(tx, row, [{ postId, revision }])
  return { url: linkOf(ctx.config, 'approve', token), expiresAt: expiresAt.toISOString() }
}
