import { type BodyOf, type Post, type Scope, type content, writeWarning } from '@carillon/contract'
import { callerHasScope, roleAllows } from '@carillon/core'
import type { Tx } from '../../../infra/db/db.ts'
import { callerNeedsApproval, type Principal } from '../../../infra/http/principal.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { attachMedia, findAttached } from '../../media/attached-media.ts'
import { findPerson } from '../../people/find-person.ts'
import { loadPost, lockPost, requireUnchanged } from '../load-post.ts'
import { type PostKey, type PostRow, updatePost } from '../post.store.ts'
import { checkStored, publishDraft } from '../publish-draft.ts'
import { showPost } from '../reading/present-post.ts'
import { changedTime } from '../update-draft.ts'
import { type ApprovalEventRow, listApprovalEvents } from './approval.store.ts'
import { type Client, notWaiting, recordDecision, recordSubmission } from './record-decision.ts'

/** Approves a submitted post, which releases it: to the time that was wished for, or now if that has passed. */
export async function approvePost(
  scope: RequestScope,
  id: string,
  { revision, comment }: BodyOf<typeof content.approve>,
  client?: Client,
): Promise<Post> {
  const { tx, nowMs } = scope
  const { post } = await lockPost(scope, id)
  const key = { workspaceId: post.workspace_id, id: post.id }
  const submission = await findSubmission(tx, key)
  if (post.status !== 'draft' || post.approval !== 'pending' || !submission) throw problem('not_submitted')
  if (client ? !mayLend(scope.principal, submission) : isOwn(scope.principal, submission)) throw problem('approval_own')
  await publishDraft(scope, post.id, revision)
  await keepAltTexts(scope, post)
  const isLate = post.scheduled_at !== null && post.scheduled_at.getTime() <= nowMs
  const dueAt = post.scheduled_at === null || isLate ? new Date(nowMs) : post.scheduled_at
  const state = { approval: 'approved', approval_revision: revision } as const
  await recordDecision(scope, post, { action: 'approved', state, revision, comment, dueAt, client })
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

/** May this member, who is signed in, approve the post or return it? */
export function mayDecide(member: Principal, submission: ApprovalEventRow): boolean {
  return roleAllows(member.role, 'admin') && !isOwn(member, submission)
}

/**
 * May a link of this person or key approve the post for somebody without an account? It lends a right that its maker has now: to publish without
 * an approval, or to approve what another one submitted. Otherwise whoever needs an approval would give it to themselves with a link.
 */
export function mayLend(maker: Principal, submission: ApprovalEventRow): boolean {
  const { role, apiKeyId, limits } = maker
  const has = (scope: Scope) => callerHasScope({ apiKeyId, scopes: limits.scopes }, scope)
  const mayPublish = roleAllows(role, 'editor') && has('content:publish') && !callerNeedsApproval(maker)
  return mayPublish || (roleAllows(role, 'admin') && has('content:approve') && !isOwn(maker, submission))
}

/** The newest submission of a post. */
export async function findSubmission(tx: Tx, key: PostKey): Promise<ApprovalEventRow | undefined> {
  return (await listApprovalEvents(tx, key)).find(({ action }) => action === 'submitted')
}

/** The alt texts of the library may be changed while the post waits for its time. What was approved stays with the post. */
async function keepAltTexts({ tx }: RequestScope, { type, workspace_id: workspaceId, id: postId }: PostRow): Promise<void> {
  if (type === 'text') return
  const attached = await findAttached(tx, workspaceId, [postId])
  const attachments = attached.map(({ row, alt, connection }) => ({ mediaId: row.id, alt, connection }))
  await attachMedia(tx, { workspaceId, postId }, attachments)
}

/** Returns a submitted post to its authors. */
export async function requestChanges(scope: RequestScope, id: string, comment: string, client?: Client): Promise<Post> {
  const post = await lockSubmitted(scope, id)
  const state = { approval: 'changes_requested', approval_revision: null } as const
  await recordDecision(scope, post, { action: 'changes_requested', state, revision: post.approval_revision, comment, client })
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
  const { by, at, comment, client } = last
  const decided = { by, at, comment, ...(client && { client }) }
  return { ...post, approval: { state: 'none', revision: null, ...post.approval, ...decided, history } }
}

async function describe({ tx }: RequestScope, rows: readonly ApprovalEventRow[]) {
  const personIds = [...new Set(rows.map((row) => row.person_id))]
  const people = await Promise.all(personIds.map((id) => findPerson(tx, id)))
  const names = new Map(people.map((person, index) => [personIds[index], person?.name ?? null]))
  return rows.map((row) => ({
    action: row.action,
    by: { userId: row.person_id, name: names.get(row.person_id) ?? null, apiKeyId: row.api_key_id },
    ...(row.link_id !== null && row.client_name !== null && { client: { linkId: row.link_id, name: row.client_name } }),
    at: row.at.toISOString(),
    comment: row.comment,
    revision: row.revision,
    dueAt: row.due_at?.toISOString() ?? null,
  }))
}
