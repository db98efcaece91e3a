import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findPerson } from '../../people/find-person.ts'
import { listApprovalEvents, type ApprovalEventRow } from './approval.store.ts'

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
