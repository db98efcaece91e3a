import { type BodyOf, type Label, type LabelKind, type labels, labelsMax, postLabelsMax } from '@carillon/contract'
import type { Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import {
  type LabelRow,
  type LabelledPost,
  deleteLabel,
  deleteOtherLabels,
  findLabel,
  insertLabel,
  insertPostLabels,
  isNameTaken,
  keepLabels,
  listLabelRows,
  listLabelsOf,
  updateLabel,
} from './label.store.ts'

export async function getLabels({ tx, principal }: RequestScope): Promise<Label[]> {
  return (await listLabelRows(tx, principal.workspaceId)).map(presentLabel)
}

export async function createLabel(
  { tx, principal: { workspaceId }, nowMs }: RequestScope,
  { name, color, kind = 'label', startsOn = null, endsOn = null }: BodyOf<typeof labels.create>,
): Promise<Answer<Label>> {
  checkDays(kind, { startsOn, endsOn })
  await lockQuota(tx, `labels ${workspaceId}`)
  if ((await listLabelRows(tx, workspaceId)).length >= labelsMax)
    throw problem('quota_reached', { message: `A workspace has at most ${labelsMax} labels.` })
  const id = newId(nowMs)
  const now = new Date(nowMs)
  const columns = { name, color, kind, starts_on: startsOn, ends_on: endsOn, created_at: now, updated_at: now }
  const row = await refuseTakenName(insertLabel(tx, { workspace_id: workspaceId, id, ...columns }))
  return new Answer(presentLabel(row), { subjectId: id })
}

/** A campaign that becomes a label loses its days. */
export async function changeLabel(
  { tx, principal: { workspaceId }, nowMs }: RequestScope,
  id: string,
  change: BodyOf<typeof labels.update>,
): Promise<Label> {
  const label = await findLabel(tx, { workspaceId, id })
  if (!label) throw problem('label_not_found')
  const kind = change.kind ?? label.kind
  const loses = change.kind === 'label' && label.kind === 'campaign'
  const { startsOn = loses ? null : label.starts_on, endsOn = loses ? null : label.ends_on } = change
  checkDays(kind, { startsOn, endsOn })
  const { name = label.name, color = label.color } = change
  const columns = { name, color, kind, starts_on: startsOn, ends_on: endsOn, updated_at: new Date(nowMs) }
  return presentLabel(await refuseTakenName(updateLabel(tx, { workspaceId, id }, columns)))
}

export async function removeLabel({ tx, principal: { workspaceId } }: RequestScope, id: string): Promise<{ posts: number }> {
  if (!(await findLabel(tx, { workspaceId, id }))) throw problem('label_not_found')
  return { posts: await deleteLabel(tx, { workspaceId, id }) }
}

function checkDays(kind: LabelKind, { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null }): void {
  const refuse = (path: string, message: string) => {
    throw problem('request_invalid', { details: [{ path, message }] })
  }
  if (kind === 'label' && startsOn !== null) refuse('startsOn', 'Only a campaign has days.')
  if (kind === 'label' && endsOn !== null) refuse('endsOn', 'Only a campaign has days.')
  if (startsOn !== null && endsOn !== null && endsOn < startsOn) refuse('endsOn', 'Must not be before `startsOn`.')
}

/** Two requests can choose the same name at the same time, so the index decides and not a question beforehand. */
async function refuseTakenName<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw isNameTaken(error) ? problem('label_name_taken') : error
  }
}

function presentLabel(row: LabelRow): Label {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    kind: row.kind,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Refuses labels that the workspace does not have. `path` is the field that names them. */
export async function requireLabels({ tx, principal }: RequestScope, ids: readonly string[], path = 'labels'): Promise<void> {
  if (ids.length === 0) return
  const known = new Set(await keepLabels(tx, principal.workspaceId, ids))
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `${path}[${index}]`, message: 'The workspace has no label with this id.' }],
  )
  if (details.length > 0) throw problem('request_invalid', { details })
}

/** Refuses a label that the workspace does not have. It cannot be removed until the transaction ends. */
export async function requireLabel({ tx, principal }: RequestScope, id: string): Promise<void> {
  if ((await keepLabels(tx, principal.workspaceId, [id])).length === 0) throw problem('label_not_found')
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
