import { notesMax, type BodyOf, type Note, type notes, type QueryOf } from '@carillon/contract'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { findPerson } from '../people/find-person.ts'
import { countNotes, deleteNote, findNote, insertNote, listNoteRows, updateNote, type NoteRow } from './note.store.ts'

export async function getNotes(scope: RequestScope, { from, to }: QueryOf<typeof notes.list> = {}): Promise<Note[]> {
  return presentNotes(scope, await listNoteRows(scope.tx, { workspaceId: scope.principal.workspaceId, from, to }))
}

export async function createNote(
  scope: RequestScope,
  { startsOn, endsOn = startsOn, text, color = 'yellow' }: BodyOf<typeof notes.create>,
): Promise<Answer<Note>> {
  const { tx, principal, nowMs } = scope
  const { workspaceId, personId } = principal
  checkDays(startsOn, endsOn)
  await lockQuota(tx, `notes ${workspaceId}`)
  if ((await countNotes(tx, workspaceId)) >= notesMax)
    throw problem('quota_reached', { message: `A workspace has at most ${notesMax} notes.` })
  const id = newId(nowMs)
  const now = new Date(nowMs)
  const columns = { starts_on: startsOn, ends_on: endsOn, text, color, person_id: personId, created_at: now, updated_at: now }
  const row = await insertNote(tx, { workspace_id: workspaceId, id, ...columns })
  return new Answer(await presentNote(scope, row), { subjectId: id })
}

export async function changeNote(scope: RequestScope, id: string, change: BodyOf<typeof notes.update>): Promise<Note> {
  const { tx, principal, nowMs } = scope
  const key = { workspaceId: principal.workspaceId, id }
  const note = await findNote(tx, key)
  if (!note) throw problem('note_not_found')
  const { startsOn = note.starts_on, endsOn = note.ends_on, text = note.text, color = note.color } = change
  checkDays(startsOn, endsOn)
  const columns = { starts_on: startsOn, ends_on: endsOn, text, color, updated_at: new Date(nowMs) }
  return presentNote(scope, await updateNote(tx, key, columns))
}

export async function removeNote({ tx, principal }: RequestScope, id: string): Promise<null> {
  if (!(await deleteNote(tx, { workspaceId: principal.workspaceId, id }))) throw problem('note_not_found')
  return null
}

function checkDays(startsOn: string, endsOn: string): void {
  if (endsOn < startsOn)
    throw problem('request_invalid', { details: [{ path: 'endsOn', message: 'Must not be before `startsOn`.' }] })
}

async function presentNote(scope: RequestScope, row: NoteRow): Promise<Note> {
  const [note] = await presentNotes(scope, [row])
  if (!note) throw new Error('presentNotes returned no note')
  return note
}

async function presentNotes({ tx }: RequestScope, rows: readonly NoteRow[]): Promise<Note[]> {
  const personIds = [...new Set(rows.map((row) => row.person_id))]
  const people = await Promise.all(personIds.map((id) => findPerson(tx, id)))
  const names = new Map(people.map((person, index) => [personIds[index], person?.name ?? null]))
  return rows.map((row) => ({
    id: row.id,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    text: row.text,
    color: row.color,
    createdBy: { userId: row.person_id, name: names.get(row.person_id) ?? null },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}
