import { approvalLinksMax, type ApprovalLink, type BodyOf, type ReturnsOf, type approvalLinks } from '@carillon/contract'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../infra/db/db.ts'
import { newId } from '../../../../infra/db/ids.ts'
import { linkOf, newToken } from '../../../../infra/http/link-secret.ts'
import { Answer, type RequestScope } from '../../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../../infra/http/serve-prepared.ts'
import { composeMail, queueMail } from '../../../../infra/mail/queue-mail.ts'
import { problem } from '../../../../infra/problem/problem.ts'
import { lockQuota } from '../../../../infra/quota/quota.store.ts'
import { cleanName } from '../../../invitations/invite.ts'
import { reserveMail } from '../../../invitations/reserve-mail.ts'
import { sendQueuedMails } from '../../../invitations/send-queued-mails.ts'
import { findMembership } from '../../../members/find-membership.ts'
import { workspaceName } from '../../../workspaces/workspace-name.ts'
import { lockPost } from '../../load-post.ts'
import { findSubmission, mayLend, submitPost } from '../decide.ts'
import {
  countLiveLinks,
  forgetLinkAddress,
  insertLink,
  type LinkPost,
  type LinkRow,
  listLinks,
  revokeLink,
} from './approval-link.store.ts'
import { cleanClientName } from './clean-text.ts'
import { findMaker } from './find-maker.ts'
import { linkLastsMs } from './link-of-submission.ts'

const mailLastsMs = 86_400_000

type Body = BodyOf<typeof approvalLinks.create>
type Made = ReturnsOf<typeof approvalLinks.create>
type Call = { ctx: Context; principal: { workspaceId: string; personId: string }; body: Body }

/** Makes a link. The allowance for mails is that of invitations, and is taken before the transaction of the workspace. */
export async function makeLink({ ctx, principal, body }: Call): Promise<Prepared<Made>> {
  const isMailed = body.email !== undefined && ctx.config.mail !== null
  const reservation = isMailed ? await reserveMail(ctx, { ...principal, email: body.email ?? '' }) : null
  return {
    fingerprint: null,
    store: (scope) => storeLink(scope, body, isMailed),
    discard: async () => reservation?.giveBack(),
  }
}

async function storeLink(scope: RequestScope, body: Body, isMailed: boolean): Promise<Answer<Made>> {
  const { ctx, tx, principal, nowMs } = scope
  const { workspaceId, personId, apiKeyId } = principal
  await lockQuota(tx, `approval links ${workspaceId}`)
  if ((await countLiveLinks(tx, workspaceId, new Date(nowMs))) >= approvalLinksMax)
    throw problem('quota_reached', {
      message: `At most ${approvalLinksMax} links for approvals work at the same time; revoke some.`,
    })
  const posts = await submitAll(scope, body.posts)
  const id = newId(nowMs)
  const { token, hash } = newToken()
  const url = linkOf(ctx.config, 'approve', token)
  const name = cleanClientName(body.name ?? '') || null
  const row = {
    workspace_id: workspaceId,
    id,
    name,
    email: body.email ?? null,
    mailed: isMailed,
    of_submission: false,
    person_id: personId,
    api_key_id: apiKeyId,
    created_at: new Date(nowMs),
    expires_at: new Date(nowMs + linkLastsMs),
    revoked_at: null,
  }
  await insertLink(tx, { ...row, token_hash: hash }, posts)
  if (isMailed && body.email !== undefined) await mailLink(scope, { to: body.email, url, posts: posts.length })
  const shown = await presentLink(scope, { row, posts })
  return new Answer({ ...shown, url }, { subjectId: id, withoutSecret: { ...shown, url: '' } })
}

/** Submits what is not submitted yet. In the order of their ids, so that two requests do not wait for each other for ever. */
async function submitAll(scope: RequestScope, ids: readonly string[]): Promise<LinkPost[]> {
  const revisions = new Map<string, LinkPost>()
  for (const id of ids.toSorted()) {
    const { post } = await lockPost(scope, id)
    if (post.status !== 'draft') throw problem('not_a_draft')
    const isWaiting = post.approval === 'pending' && post.approval_revision !== null
    const revision = isWaiting
      ? post.approval_revision
      : (await submitPost({ ...scope, ifMatch: null }, id, {})).approval?.revision
    revisions.set(id, { postId: post.id, revision: revision ?? '' })
  }
  const found = ids.flatMap((id) => revisions.get(id) ?? [])
  return [...new Map(found.map((each) => [each.postId, each])).values()]
}

async function mailLink(
  { ctx, tx, principal, afterCommit }: RequestScope,
  { to, url, posts }: { to: string; url: string; posts: number },
): Promise<void> {
  const { workspaceId, personId } = principal
  const maker = cleanName((await findMembership(tx, workspaceId, personId))?.name ?? '', 'A member')
  const workspace = cleanName(await workspaceName(tx, workspaceId), 'a workspace')
  const what = posts === 1 ? 'a post' : `${posts} posts`
  const mail = composeMail({
    operator: ctx.config.operator,
    to,
    subject: `${maker} asks you to approve ${what}`,
    paragraphs: [
      `${maker} asks you to approve ${what} of “${workspace}” on ${ctx.config.operator.name}. You need no account.`,
      'The link works for 14 days. Whoever has it can decide, so do not pass it on. If you did not expect this mail, you can ignore it.',
    ],
    link: { label: posts === 1 ? 'Look at the post' : 'Look at the posts', url },
  })
  await queueMail(ctx, tx, { mail, lastsMs: mailLastsMs })
  afterCommit(() => sendQueuedMails(ctx))
}

export async function getLinks(scope: RequestScope, post: string | undefined): Promise<ApprovalLink[]> {
  const links = await listLinks(scope.tx, { workspaceId: scope.principal.workspaceId, postId: post })
  return Promise.all(links.map((link) => presentLink(scope, link)))
}

export async function removeLink({ tx, principal, nowMs }: RequestScope, id: string): Promise<null> {
  if (!(await revokeLink(tx, { workspaceId: principal.workspaceId, id }, new Date(nowMs))))
    throw problem('approval_link_not_found')
  return null
}

async function presentLink(scope: RequestScope, { row, posts }: { row: LinkRow; posts: LinkPost[] }): Promise<ApprovalLink> {
  const { tx, nowMs } = scope
  const made = { workspaceId: row.workspace_id, personId: row.person_id, apiKeyId: row.api_key_id }
  const maker = isLive(row, nowMs) ? await findMaker(scope, made) : null
  const member = maker ?? (await findMembership(tx, row.workspace_id, row.person_id))
  const shown = maker ? posts : []
  const submissions = await Promise.all(
    shown.map(({ postId }) => findSubmission(tx, { workspaceId: row.workspace_id, id: postId })),
  )
  return {
    id: row.id,
    posts: posts.map(({ postId, revision }) => ({ uploadId: postId, revision })),
    name: row.name,
    email: row.email,
    mailed: row.mailed,
    decides:
      maker !== null &&
      !row.of_submission &&
      submissions.some((submission) => submission && mayLend(maker.principal, submission)),
    createdBy: { userId: row.person_id, name: member?.name ?? null, apiKeyId: row.api_key_id },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}

export function isLive({ revoked_at, expires_at }: LinkRow, nowMs: number): boolean {
  return revoked_at === null && expires_at.getTime() > nowMs
}

/** For a person whose data is erased. */
export async function forgetAddress(system: Tx, email: string): Promise<void> {
  await forgetLinkAddress(system, email)
}
