import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../infra/db/db.ts'
import { hashToken, tokenPattern } from '../../../../infra/http/link-secret.ts'
import type { RequestScope } from '../../../../infra/http/request-scope.ts'
import type { Media } from '@carillon/contract'
import { presentMedia } from '../../../media/present-media.ts'
import { findPerson } from '../../../people/find-person.ts'
import { findWorkspace } from '../../../workspaces/workspace.store.ts'
import { listComments } from '../../comments/comment.store.ts'
import { findWholePost, type PostRow, type PostWithChannels } from '../../post.store.ts'
import { type ApprovalEventRow, listApprovalEvents } from '../approval.store.ts'
import { mayDecide, mayLend } from '../decide.ts'
import { type ComposedChannel, composeChannels, hashRevision } from '../revision.ts'
import { findLinkBySecret, type LinkRow, listLinkPosts } from './approval-link.store.ts'
import { findMaker, findVisitor, type Visitor } from './find-maker.ts'
import { isLive } from './manage-links.ts'

/** Exactly what one account would publish. Accounts that would publish the same are together. */
export type ShownVersion = {
  channels: readonly (ComposedChannel & { account: object })[]
  files: readonly (Pick<Media, 'type' | 'url' | 'thumbnailUrl' | 'name'> & { alt: string })[]
}

export type ShownComment = { name: string; at: Date; text: string }

/**
 * waiting: it can be decided about; approved: with what was approved; returned: changes were asked for; hidden: it is being changed, or waits no more,
 * so that nothing of it is shown.
 */
export type ShownPost = {
  id: string
  state: 'waiting' | 'approved' | 'returned' | 'hidden'
  /** Of what is shown; empty if nothing is. */
  revision: string
  /** It is not what it was when the link was made. */
  isChanged: boolean
  /** Whether the link approves it, or the visitor does. Otherwise an approver signs in. */
  canApprove: boolean
  scheduledAt: Date | null
  isLate: boolean
  versions: readonly ShownVersion[]
  /** The newest decision, by whom, and what was said. */
  last: { name: string; at: Date; comment: string | null } | null
  comments: readonly ShownComment[]
}

export type ShownLink = {
  link: LinkRow
  workspaceId: string
  workspace: string
  timezone: string
  maker: string
  /** The member who is signed in in the browser. */
  visitor: Visitor | null
  posts: readonly ShownPost[]
}

/** The link with this secret, if it works. */
export async function findLink(ctx: Context, token: string): Promise<LinkRow | null> {
  if (!tokenPattern.test(token)) return null
  const link = await findLinkBySecret(ctx.db.system, hashToken(token))
  return link && isLive(link, ctx.nowMs()) ? link : null
}

/** A scope for what a link lends: the workspace and the rights of its maker. */
export function scopeOfMaker(
  ctx: Context,
  { tx, principal, traceId, afterCommit }: Pick<RequestScope, 'tx' | 'principal' | 'traceId' | 'afterCommit'>,
): RequestScope {
  return { ctx, tx, principal, nowMs: ctx.nowMs(), traceId, ifMatch: null, afterCommit }
}

type Opening = {
  traceId: string
  /** The person who is signed in in the browser that opens the link. */
  visitorId: string | null
}

/** Everything that the page of a link shows. Null if its maker is no member any more. */
export async function readLink(ctx: Context, link: LinkRow, { traceId, visitorId }: Opening): Promise<ShownLink | null> {
  const workspaceId = link.workspace_id
  return ctx.db.readOnly(workspaceId, async (tx) => {
    const made = { workspaceId, personId: link.person_id, apiKeyId: link.api_key_id }
    const maker = await findMaker({ ctx, tx, nowMs: ctx.nowMs() }, made)
    const workspace = await findWorkspace(tx, workspaceId)
    if (!maker || !workspace) return null
    const visitor = await findVisitor(tx, { workspace, personId: visitorId })
    const scope = scopeOfMaker(ctx, { tx, principal: maker.principal, traceId, afterCommit: () => {} })
    const posts: ShownPost[] = []
    for (const { postId, revision } of await listLinkPosts(tx, { workspaceId, id: link.id })) {
      const found = await findWholePost(tx, { workspaceId, id: postId })
      if (found) posts.push(await showPost(scope, found, { linked: revision, lends: !link.of_submission, visitor }))
    }
    const { name, timezone } = workspace
    return { link, workspaceId, workspace: name, timezone, maker: maker.name, visitor, posts }
  })
}

type Shown = { linked: string; lends: boolean; visitor: Visitor | null }

async function showPost(scope: RequestScope, found: PostWithChannels, { linked, lends, visitor }: Shown): Promise<ShownPost> {
  const { post } = found
  const events = await listApprovalEvents(scope.tx, { workspaceId: post.workspace_id, id: post.id })
  const submission = events.find(({ action }) => action === 'submitted')
  const composed = await composeChannels(scope, found)
  const state = stateOf(post, hashRevision(found, composed))
  const isShown = state === 'waiting' || state === 'approved'
  return {
    id: post.id,
    state,
    revision: isShown ? (post.approval_revision ?? '') : '',
    isChanged: isShown && post.approval_revision !== linked,
    canApprove:
      submission !== undefined &&
      ((lends && mayLend(scope.principal, submission)) || (visitor !== null && mayDecide(visitor.principal, submission))),
    scheduledAt: post.scheduled_at,
    isLate: post.scheduled_at !== null && post.scheduled_at.getTime() <= scope.nowMs,
    versions: isShown ? await groupVersions(scope, composed) : [],
    last: await describeLast(scope.tx, state, events),
    comments: await listForClient(scope.tx, post),
  }
}

/** A draft that is being changed is nobody's business yet. What was approved is shown as long as it is that. */
function stateOf({ status, approval, approval_revision: bound }: PostRow, revision: string): ShownPost['state'] {
  if (approval === 'approved') return status !== 'draft' ? 'approved' : 'hidden'
  if (status !== 'draft') return 'hidden'
  if (approval === 'pending') return bound === revision ? 'waiting' : 'hidden'
  return approval === 'changes_requested' ? 'returned' : 'hidden'
}

async function groupVersions(scope: RequestScope, composed: readonly ComposedChannel[]): Promise<ShownVersion[]> {
  const known = composed.filter((channel): channel is ShownVersion['channels'][number] => channel.account !== null)
  const groups = Map.groupBy(known, ({ draft, thread, firstComment }) => JSON.stringify({ draft, thread, firstComment }))
  return Promise.all(
    [...groups.values()].map(async (channels) => {
      const files = channels[0]?.files ?? []
      const rows = files.map(({ row }) => row)
      const items = await presentMedia(scope.ctx, scope.tx, rows)
      return { channels, files: items.map((item, index) => ({ ...item, alt: files[index]?.alt ?? '' })) }
    }),
  )
}

/** Only decisions that the client can have taken part in, and by whom. */
async function describeLast(tx: Tx, state: ShownPost['state'], events: readonly ApprovalEventRow[]): Promise<ShownPost['last']> {
  const action = state === 'approved' ? 'approved' : state === 'returned' ? 'changes_requested' : null
  const found = events.find((event) => event.action === action)
  if (!found) return null
  const name = found.client_name ?? (await nameOf(tx, found.person_id))
  // What members say to each other is not for the client.
  return { name, at: found.at, comment: found.client_name === null ? null : found.comment }
}

async function listForClient(tx: Tx, { workspace_id: workspaceId, id }: PostRow): Promise<ShownComment[]> {
  const rows = (await listComments(tx, { workspaceId, id })).filter(({ audience }) => audience === 'client')
  return Promise.all(
    rows.map(async (row) => ({
      name: row.client_name ?? (row.person_id === null ? '' : await nameOf(tx, row.person_id)),
      at: row.created_at,
      text: row.text,
    })),
  )
}

async function nameOf(tx: Tx, personId: string): Promise<string> {
  return (await findPerson(tx, personId))?.name ?? ''
}
