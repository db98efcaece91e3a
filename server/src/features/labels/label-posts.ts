import { postLabelsMax } from '@carillon/contract'
import type { Tx } from '../../infra/db/db.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { keepLabels } from './label.store.ts'
import { deleteOtherLabels, insertPostLabels, listLabelsOf, type LabelledPost } from './post-label.store.ts'

/** Refuses labels that the workspace does not have. `path` is the field that names them. */
export async function requireLabels({ tx, principal }: RequestScope, ids: readonly string[], path = 'labels'): Promise<void> {
  if (ids.length === 0) return
  const known = new Set(await keepLabels(tx, principal.workspaceId, ids))
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `${path}[${index}]`, message: 'The workspace has no label with this id.' }],
  )
  if (details.length > 0) throw problem('request_invalid', { details })
}

/** Gives a new post its labels, which are checked already. */
export function addLabels(tx: Tx, post: LabelledPost, ids: readonly string[]): Promise<void> {
  return insertPostLabels(tx, post, ids)
}

/** The post has these labels afterwards, and no others. */
export async function setLabels(scope: RequestScope, postId: string, ids: readonly string[]): Promise<void> {
  await requireLabels(scope, ids)
  const post = { workspaceId: scope.principal.workspaceId, postId }
  await deleteOtherLabels(scope.tx, post, ids)
  await insertPostLabels(scope.tx, post, ids)
}

/** Changes the labels of a post that is locked. The labels are checked already. Returns whether anything changed. */
export async function changeLabels(
  tx: Tx,
  post: LabelledPost,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<boolean> {
  const before = new Set(await listLabelsOf(tx, post))
  const after = before.difference(new Set(remove)).union(new Set(add))
  if (after.size > postLabelsMax) throw problem('labels_full')
  if (after.symmetricDifference(before).size === 0) return false
  await deleteOtherLabels(tx, post, [...after])
  await insertPostLabels(tx, post, [...after])
  return true
}
