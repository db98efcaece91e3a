import { type BodyOf, type Post, type content, writeWarning } from '@carillon/contract'
import type { Principal } from '../../../infra/http/principal.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { attachMedia, findAttached } from '../../media/attached-media.ts'
import { findPerson } from '../../people/find-person.ts'
import { loadPost, lockPost, requireUnchanged } from '../load-post.ts'
import { type PostRow, updatePost } from '../post.store.ts'
import { checkStored, publishDraft } from '../publish-draft.ts'
import { showPost } from '../reading/present-post.ts'
import { changedTime } from '../update-draft.ts'
import { type ApprovalEventRow, listApprovalEvents } from './approval.store.ts'
import { notWaiting, recordDecision, recordSubmission } from './record-decision.ts'

/** Approves a submitted post, which releases it: to the time that was wished for, or now if that has passed. */
export async function approvePost(
  scope: RequestScope,
  id: string,
  { revision, comment }: BodyOf<typeof content.approve>,
): Promise<Post> {
  const { tx, nowMs } = scope
  const { post } = await lockPost(scope, id)
  const key = { workspaceId: post.workspace_id, id: post.id }
  const submission = (await listApprovalEvents(tx, key)).find(({ action }) => action === 'submitted')
  if (post.status !== 'draft' || post.approval !== 'pending' || !submission) throw problem('not_submitted')
  if (isOwn(scope.principal, submission)) throw problem('approval_own')
  await publishDraft(scope, post.id, revision)
  await keepAltTexts(scope, post)
  const isLate = post.scheduled_at !== null && post.scheduled_at.getTime() <= nowMs
  const dueAt = post.scheduled_at === null || isLate ? new Date(nowMs) : post.scheduled_at
  const state = { approval: 'approved', approval_revision: revision } as const
  await recordDecision(scope, post, { action: 'approved', state, revision, comment, dueAt })
  if (isLate && post.scheduled_at !== null) {
    const warning = writeWarning('approved_late', { at: post.scheduled_at.toISOString() })
    await updatePost(tx, key, { warnings: JSON.stringify([warning]) })
  }
  return showPost(scope, await loadPost(scope, post.id))
}

/**
 * Four eyes: not the person who submitted the post, with or without a key. What a program submitted with a person's key, that person may
 * approve, but no program of theirs.
 */
function isOwn({ personId, apiKeyId }: Principal, submission: ApprovalEventRow): boolean {
  return submission.person_id === personId && (submission.api_key_id === null || apiKeyId !== null)
}

/** The alt texts of the library may be changed while the post waits for its time. What was approved stays with the post. */
async function keepAltTexts({ tx }: RequestScope, { type, workspace_id: workspaceId, id: postId }: PostRow): Promise<void> {
  if (type === 'text') return
  const attached = await findAttached(tx, workspaceId, [postId])
  const attachments = attached.map(({ row, alt, connection }) => ({ mediaId: row.id, alt, connection }))
  await attachMedia(tx, { workspaceId, postId }, attachments)
}

/** Returns a submitted post to its authors. */
export async function requestChanges(scope: RequestScope, id: string, comment: string): Promise<Post> {
  const post = await lockSubmitted(scope, id)
  const state = { approval: 'changes_requested', approval_revision: null } as const
  await recordDecision(scope, post, { action: 'changes_requested', state, revision: post.approval_revision, comment })
  return showPost(scope, await loadPost(scope, post.id))
}

/** Takes a submitted post back. */
export async function withdrawPost(scope: RequestScope, id: string): Promise<Post> {
  const post = await lockSubmitted(scope, id)
  await recordDecision(scope, post, { action: 'withdrawn', state: notWaiting, revision: post.approval_revision })
  return showPost(scope, await loadPost(scope, post.id))
}

async function lockSubmitted(scope: RequestScope, id: string): Promise<PostRow> {
  const { post } = await lockPost(scope, id)
  if (post.approval !== 'pending') throw problem('not_submitted')
  return post
}

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

/** The post with what was decided about it. */
export async function withApproval(scope: RequestScope, post: Post): Promise<Post> {
  const rows = await listApprovalEvents(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.uploadId })
  const history = await describe(scope, rows.toReversed())
  const last = history.at(-1)
  if (!last) return post
  const { by, at, comment } = last
  return { ...post, approval: { state: 'none', revision: null, ...post.approval, by, at, comment, history } }
}

async function describe({ tx }: RequestScope, rows: readonly ApprovalEventRow[]) {
  const personIds = [...new Set(rows.map((row) => row.person_id))]
  const people = await Promise.all(personIds.map((id) => findPerson(tx, id)))
  const names = new Map(people.map((person, index) => [personIds[index], person?.name ?? null]))
  return rows.map((row) => ({
    action: row.action,
    by: { userId: row.person_id, name: names.get(row.person_id) ?? null, apiKeyId: row.api_key_id },
    at: row.at.toISOString(),
    comment: row.comment,
    revision: row.revision,
    dueAt: row.due_at?.toISOString() ?? null,
  }))
}
