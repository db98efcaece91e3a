import { commentsMax, type BodyOf, type PostComment, type comments } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import { newId } from '../../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { lockQuota } from '../../../infra/quota/quota.store.ts'
import { recordEvents, recordPostChanges } from '../../events/outbox.store.ts'
import { findMembership } from '../../members/find-membership.ts'
import { findPerson } from '../../people/find-person.ts'
import type { Client } from '../approval/record-decision.ts'
import { loadPost } from '../load-post.ts'
import {
  type CommentRow,
  countComments,
  deleteComment,
  findComment,
  insertComment,
  listComments,
  updateComment,
} from './comment.store.ts'

export async function getComments(scope: RequestScope, id: string): Promise<PostComment[]> {
  const { post } = await loadPost(scope, id)
  return present(scope, await listComments(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.id }))
}

/** Members only. Somebody who may only read does not speak to a client for the workspace. */
export async function createComment(
  scope: RequestScope,
  id: string,
  { text, audience = 'members', mentions = [] }: BodyOf<typeof comments.create>,
): Promise<Answer<PostComment>> {
  const { role, personId, apiKeyId } = scope.principal
  if (audience === 'client' && !roleAllows(role, 'editor'))
    throw problem('role_forbidden', { message: `A comment for the client needs the role editor; yours here is ${role}.` })
  await requireMembers(scope, mentions)
  const { post } = await loadPost(scope, id)
  const by = { person_id: personId, api_key_id: apiKeyId, link_id: null, client_name: null }
  const row = await storeComment(scope, post.id, { ...by, audience, text: requireText(text), mentions })
  const [shown] = await present(scope, [row])
  if (!shown) throw new Error('present returned no comment')
  return new Answer(shown, { subjectId: row.id })
}

/** What a client says, whose text was cleaned. The post is one of the link, which the caller has checked. */
export async function addClientComment(
  scope: RequestScope,
  id: string,
  { client, text }: { client: Client; text: string },
): Promise<void> {
  const { post } = await loadPost(scope, id)
  const by = { person_id: null, api_key_id: null, link_id: client.linkId, client_name: client.name }
  await storeComment(scope, post.id, { ...by, audience: 'client', text, mentions: [] })
}

type NewComment = Pick<CommentRow, 'person_id' | 'api_key_id' | 'link_id' | 'client_name' | 'audience' | 'text' | 'mentions'>

async function storeComment({ tx, principal, nowMs }: RequestScope, postId: string, comment: NewComment): Promise<CommentRow> {
  const { workspaceId } = principal
  await lockQuota(tx, `comments ${workspaceId} ${postId}`)
  if ((await countComments(tx, { workspaceId, id: postId })) >= commentsMax)
    throw problem('quota_reached', { message: `A post has at most ${commentsMax} comments.` })
  const key = { workspace_id: workspaceId, post_id: postId, id: newId(nowMs) }
  const row = { ...key, ...comment, created_at: new Date(nowMs), edited_at: null }
  await insertComment(tx, row)
  // Whoever makes notices of it reads the comment of this moment: whom it mentions, and who wrote it.
  await recordEvents(tx, [{ workspaceId, event: 'content.commented', postId, personId: comment.person_id, atMs: nowMs }])
  return row
}

export async function changeComment(
  scope: RequestScope,
  { id, commentId }: { id: string; commentId: string },
  { text, mentions }: BodyOf<typeof comments.update>,
): Promise<Answer<PostComment>> {
  const { tx, nowMs } = scope
  const { row, key } = await lockComment(scope, id, commentId)
  if (!isOwn(scope, row)) throw problem('comment_not_found')
  await requireMembers(scope, mentions ?? [])
  const change = { ...(text !== undefined && { text: requireText(text) }), ...(mentions && { mentions }) }
  const edited = { ...change, edited_at: new Date(nowMs) }
  await updateComment(tx, key, edited)
  await recordPostChanges(tx, [key], nowMs)
  const [shown] = await present(scope, [{ ...row, ...edited }])
  if (!shown) throw new Error('present returned no comment')
  return new Answer(shown, { subjectId: row.id })
}

export async function removeComment(
  scope: RequestScope,
  { id, commentId }: { id: string; commentId: string },
): Promise<Answer<null>> {
  const { row, key } = await lockComment(scope, id, commentId)
  const isAdmin = roleAllows(scope.principal.role, 'admin') && scope.principal.apiKeyId === null
  if (!isOwn(scope, row) && !isAdmin) throw problem('comment_not_found')
  await deleteComment(scope.tx, key)
  await recordPostChanges(scope.tx, [key], scope.nowMs)
  return new Answer(null, { subjectId: row.id })
}

/** A program changes what it wrote itself, and a person also what their programs wrote. */
function isOwn({ principal: { personId, apiKeyId } }: RequestScope, row: CommentRow): boolean {
  return row.person_id === personId && (apiKeyId === null || row.api_key_id === apiKeyId)
}

async function lockComment(scope: RequestScope, id: string, commentId: string) {
  const { post } = await loadPost(scope, id)
  const key = { workspaceId: scope.principal.workspaceId, postId: post.id, id: commentId }
  const row = await findComment(scope.tx, key)
  if (!row) throw problem('comment_not_found')
  return { row, key }
}

async function requireMembers({ tx, principal }: RequestScope, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds)
    if (!(await findMembership(tx, principal.workspaceId, userId)))
      throw problem('member_not_found', { message: 'Somebody who is mentioned is no member of this workspace.' })
}

function requireText(text: string): string {
  if (text.trim() === '') throw problem('request_invalid', { details: [{ path: 'text', message: 'Must not be empty.' }] })
  return text
}

async function present({ tx }: RequestScope, rows: readonly CommentRow[]): Promise<PostComment[]> {
  const personIds = [...new Set(rows.flatMap((row) => [...(row.person_id === null ? [] : [row.person_id]), ...row.mentions]))]
  const people = await Promise.all(personIds.map(async (id) => [id, (await findPerson(tx, id))?.name ?? null] as const))
  const names = new Map(people)
  const named = (userId: string) => ({ userId, name: names.get(userId) ?? null })
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    audience: row.audience,
    by: row.person_id === null ? null : { ...named(row.person_id), apiKeyId: row.api_key_id },
    client: row.link_id === null ? null : { linkId: row.link_id, name: row.client_name ?? '' },
    mentions: row.mentions.map(named),
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
  }))
}
