import type { ApprovalAction } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordEvents, type DomainEvent } from '../../events/outbox.store.ts'
import { findForUpdate, updatePost, type PostRow, type PostWithChannels } from '../post.store.ts'
import { insertApprovalEvent } from './approval.store.ts'
import { revokeSubmissionLinks } from './links/approval-link.store.ts'
import { computeRevision } from './revision.ts'

type Decision = {
  action: ApprovalAction
  /** Where the post is afterwards, and the revision that this is about, if any. */
  state: Pick<PostRow, 'approval' | 'approval_revision'> & Partial<Pick<PostRow, 'approval_reminders'>>
  /** What was decided about. */
  revision: string | null
  comment?: string | undefined
  dueAt?: Date | null
  /** The person without an account who decided, by a link that the caller has made. */
  client?: Client | undefined
}

/** A person without an account, as they named themselves. */
export type Client = { linkId: string; name: string }

const eventOf: Partial<Record<ApprovalAction, DomainEvent['event']>> = {
  submitted: 'content.submitted',
  approved: 'content.approved',
  changes_requested: 'content.changes_requested',
  withdrawn: 'content.withdrawn',
}

/** Stores a decision about a post, which must be locked, in the transaction of what follows from it. */
export async function recordDecision(
  { tx, principal, nowMs }: RequestScope,
  post: PostRow,
  { action, state, revision, comment, dueAt = null, client }: Decision,
): Promise<void> {
  const { workspaceId, personId, apiKeyId } = principal
  // Always another time than before, because the ETag is made from it.
  const updatedAt = new Date(Math.max(nowMs, post.updated_at.getTime() + 1))
  await updatePost(tx, { workspaceId, id: post.id }, { ...state, updated_at: updatedAt })
  await insertApprovalEvent(tx, {
    workspace_id: workspaceId,
    post_id: post.id,
    action,
    person_id: personId,
    api_key_id: apiKeyId,
    at: new Date(nowMs),
    comment: comment ?? null,
    revision,
    due_at: dueAt,
    link_id: client?.linkId ?? null,
    client_name: client?.name ?? null,
  })
  const event = eventOf[action]
  if (event) await recordEvents(tx, [{ workspaceId, event, postId: post.id, personId, atMs: nowMs }])
}

/** So long before its time it is said that a post still waits. */
export const remindBeforeMs = 86_400_000

export const notWaiting = { approval: null, approval_revision: null } as const

/** Makes a stored and locked draft, which was checked like a post that is published, wait for approval, bound to what it is now. */
export async function recordSubmission(scope: RequestScope, found: PostWithChannels, comment?: string): Promise<string> {
  const { post } = found
  if (post.pending_medias) throw problem('request_invalid', { details: [filesMissing] })
  const revision = await computeRevision(scope, found)
  await revokeSubmissionLinks(scope.tx, { workspaceId: post.workspace_id, postId: post.id }, new Date(scope.nowMs))
  const isNear = post.scheduled_at !== null && post.scheduled_at.getTime() <= scope.nowMs + remindBeforeMs
  // Whoever submits a post shortly before its time is not told at once that its time is near.
  const state = { approval: 'pending', approval_revision: revision, approval_reminders: isNear ? 1 : 0 } as const
  await recordDecision(scope, post, { action: 'submitted', state, revision, comment, dueAt: post.scheduled_at })
  return revision
}

const filesMissing = {
  path: 'medias',
  message: 'The files of this draft are not fetched yet, so nobody can approve them. Save the draft again without async.',
}

/** Ends an approval, or the wait for one, in the transaction that changes or releases the post. The post must be locked. */
export async function endApproval(scope: RequestScope, post: PostRow): Promise<void> {
  if (post.approval === null) return
  await recordDecision(scope, post, { action: 'ended', state: notWaiting, revision: post.approval_revision })
}

/** Ends the approval of a post that is no longer what was submitted. `before` is its row before the change. The post must be locked. */
export async function endChangedApproval(scope: RequestScope, before: PostRow): Promise<void> {
  if (before.approval_revision === null) return
  const changed = await findForUpdate(scope.tx, { workspaceId: before.workspace_id, id: before.id })
  if (changed && (await computeRevision(scope, changed)) !== before.approval_revision) await endApproval(scope, changed.post)
}
