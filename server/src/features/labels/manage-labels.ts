import { labelsMax, type BodyOf, type Label, type LabelKind, type labels } from '@carillon/contract'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { deleteLabel, findLabel, insertLabel, isNameTaken, listLabelRows, updateLabel, type LabelRow } from './label.store.ts'

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
