import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../infra/db/db.ts'
import { commitThenRun } from '../../../../infra/http/commit-then-run.ts'
import type { Principal } from '../../../../infra/http/principal.ts'
import { Problem, problem } from '../../../../infra/problem/problem.ts'
import type { RequestScope } from '../../../../infra/http/request-scope.ts'
import { recordChange } from '../../../audit/record-change.ts'
import { findWorkspace } from '../../../workspaces/workspace.store.ts'
import { addClientComment } from '../../comments/manage-comments.ts'
import { lockPost } from '../../load-post.ts'
import { updatePost } from '../../post.store.ts'
import { changedTime } from '../../update-draft.ts'
import { approvePost, findSubmission, mayDecide, requestChanges } from '../decide.ts'
import type { Client } from '../record-decision.ts'
import { computeRevision, requireRevision } from '../revision.ts'
import { type LinkRow, listLinkPosts, lockLink } from './approval-link.store.ts'
import { findMaker, findVisitor } from './find-maker.ts'
import { isLive } from './manage-links.ts'
import { scopeOfMaker } from './read-link.ts'

/** `when` is needed once the time of the post has passed: at once, or at this wall time in the zone of the workspace. */
export type ClientDecision =
  | { action: 'approve'; postId: string; revision: string; when: 'planned' | 'now' | { wall: string } }
  | { action: 'changes'; postId: string; text: string }
  | { action: 'comment'; postId: string; text: string }

/** Why a decision was not taken, for the words of the page. */
export type Refusal = 'ended' | 'changed' | 'not_waiting' | 'late' | 'time' | 'needs_account' | 'failed'

type Decided = {
  link: LinkRow
  name: string
  decision: ClientDecision
  traceId: string
  /** Who is signed in in the browser. */
  visitorId: string | null
}

/**
 * Decides about one post for a person without an account. One transaction checks that the link works, that its maker may still lend their right,
 * and that the post is what the person looked at; then it decides. Null if that was done.
 */
export async function decideByLink(ctx: Context, { link, name, decision, traceId, visitorId }: Decided): Promise<Refusal | null> {
  const workspaceId = link.workspace_id
  const transact = (run: (tx: Tx) => Promise<void>) => ctx.db.tenant(workspaceId, run)
  try {
    await commitThenRun({ ctx, traceId }, transact, async (tx, afterCommit) => {
      const locked = await lockLink(tx, { workspaceId, id: link.id })
      if (!locked || !isLive(locked, ctx.nowMs())) throw new Refused('ended')
      const made = { workspaceId, personId: locked.person_id, apiKeyId: locked.api_key_id }
      const maker = await findMaker({ ctx, tx, nowMs: ctx.nowMs() }, made)
      const linked = await listLinkPosts(tx, { workspaceId, id: link.id })
      if (!maker || !linked.some(({ postId }) => postId === decision.postId)) throw new Refused('ended')
      const { postId } = decision
      const visitor = await findDecider(tx, { workspaceId, personId: visitorId, postId })
      const isMember = visitor !== null && decision.action !== 'comment'
      if (!isMember && locked.of_submission && decision.action === 'approve') throw new Refused('needs_account')
      const principal = isMember ? visitor : maker.principal
      const scope = scopeOfMaker(ctx, { tx, principal, traceId, afterCommit })
      await decide(scope, decision, isMember ? undefined : { linkId: link.id, name })
      const action = auditNames[decision.action]
      await recordChange(tx, { action, subjectId: decision.postId, by: principal, nowMs: scope.nowMs, traceId })
    })
  } catch (error) {
    return refusalOf(error)
  }
  return null
}

/** The member who is signed in and may decide about the post by themselves, without what the link lends. */
async function findDecider(
  tx: Tx,
  { workspaceId, personId, postId }: { workspaceId: string; personId: string | null; postId: string },
): Promise<Principal | null> {
  const workspace = personId === null ? undefined : await findWorkspace(tx, workspaceId)
  const visitor = workspace ? await findVisitor(tx, { workspace, personId }) : null
  const submission = visitor ? await findSubmission(tx, { workspaceId, id: postId }) : undefined
  return visitor && submission && mayDecide(visitor.principal, submission) ? visitor.principal : null
}

const auditNames = {
  approve: 'post.approve_by_link',
  changes: 'post.request_changes_by_link',
  comment: 'comment.create_by_link',
} as const

class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(`a decision by a link was refused: ${refusal}`)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

const refusals: Readonly<Record<string, Refusal>> = {
  approval_changed: 'changed',
  not_submitted: 'not_waiting',
  post_not_found: 'not_waiting',
  approval_own: 'needs_account',
  request_invalid: 'time',
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal
  if (!(error instanceof Problem) || error.status >= 500) throw error
  return refusals[error.code] ?? 'failed'
}

async function decide(scope: RequestScope, decision: ClientDecision, client: Client | undefined): Promise<void> {
  const { postId } = decision
  if (decision.action === 'comment' && client) return addClientComment(scope, postId, { client, text: decision.text })
  if (decision.action === 'comment') return
  if (decision.action === 'changes') return void (await requestChanges(scope, postId, decision.text, client))
  const revision = await settleTime(scope, decision)
  await approvePost(scope, postId, { revision }, client)
}

type Approval = Extract<ClientDecision, { action: 'approve' }>

/** The revision to approve. Another time makes another one of the post, in the same transaction, after it was compared with what was looked at. */
async function settleTime(scope: RequestScope, { postId, revision, when }: Approval): Promise<string> {
  const found = await lockPost(scope, postId)
  const { post } = found
  await requireRevision(scope, found, revision)
  const isLate = post.scheduled_at !== null && post.scheduled_at.getTime() <= scope.nowMs
  if (!isLate || when === 'now') return revision
  if (when === 'planned') throw new Refused('late')
  const key = { workspaceId: post.workspace_id, id: post.id }
  const workspace = await findWorkspace(scope.tx, key.workspaceId)
  if (!workspace) throw problem('workspace_not_found')
  const { at, wall, timezone } = changedTime(post, { scheduledAt: when.wall, timezone: workspace.timezone }, scope.nowMs)
  if (at === null || at.getTime() <= scope.nowMs) throw new Refused('time')
  await updatePost(scope.tx, key, { scheduled_at: at, scheduled_wall: wall, timezone })
  const moved = await computeRevision(scope, await lockPost(scope, postId))
  await updatePost(scope.tx, key, { approval_revision: moved })
  return moved
}
