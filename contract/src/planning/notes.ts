import { Type, type Static } from 'typebox'
import { markColors } from './colors.ts'
import { endpoint } from '../endpoint.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'

/** At most this many notes in a workspace. */
export const notesMax = 2000
const noteTextMax = 500

const Day = Type.String({ format: 'date', 'x-message': 'Must be a day such as 2027-03-01.' })
const Text = Type.String({ minLength: 1, maxLength: noteTextMax })
const Color = Type.Enum([...markColors])

/** What people remember about a day, or about days that follow each other. Nothing is sent anywhere. */
export const Note = StrictObject({
  id: ObjectId,
  startsOn: Day,
  endsOn: Type.Unsafe<string>({ ...Day, description: 'The same day, if it is about one' }),
  text: Type.String(),
  color: Color,
  createdBy: StrictObject({
    userId: Type.String(),
    name: Nullable(Type.String({ description: 'Null if the account no longer exists' })),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Note = Static<typeof Note>

const write = { scope: 'content:write', role: 'editor', workspace: 'header', ok: 200 } as const

export const notes = {
  list: endpoint({
    id: 'notes.list',
    method: 'GET',
    path: '/notes',
    summary: 'List the notes of the calendar, in the order of their days',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    query: StrictObject({
      from: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'Only notes that end on this day or later' })),
      to: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'Only notes that begin on this day or earlier' })),
    }),
    returns: Type.Array(Note),
    ok: 200,
    errors: [],
    audit: null,
  }),
  create: endpoint({
    ...write,
    id: 'notes.create',
    method: 'POST',
    path: '/notes',
    summary: 'Write a note on a day of the calendar, or on several',
    body: StrictObject({
      startsOn: Day,
      endsOn: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'Default: `startsOn`' })),
      text: Text,
      color: Type.Optional(Type.Enum([...markColors], { description: 'Default: yellow' })),
    }),
    returns: Note,
    ok: 201,
    errors: ['quota_reached'],
    audit: 'note.create',
  }),
  update: endpoint({
    ...write,
    id: 'notes.update',
    method: 'PATCH',
    path: '/notes/:id',
    summary: 'Change a note',
    params: IdParam,
    body: StrictObject({
      startsOn: Type.Optional(Day),
      endsOn: Type.Optional(Day),
      text: Type.Optional(Text),
      color: Type.Optional(Color),
    }),
    returns: Note,
    errors: ['note_not_found'],
    audit: 'note.update',
  }),
  remove: endpoint({
    ...write,
    id: 'notes.remove',
    method: 'DELETE',
    path: '/notes/:id',
    summary: 'Remove a note',
    params: IdParam,
    returns: Type.Null(),
    errors: ['note_not_found'],
    audit: 'note.delete',
  }),
}
