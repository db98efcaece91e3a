import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Detail } from '../post.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'

/** What one file may have. A longer list is several files. */
export const importRowsMax = 1000
const importCharactersMax = 5_000_000
/** The newest imports whose rows are kept. Which posts were imported is known for as long as the posts exist. */
export const importsKept = 20

const importFormats = ['csv', 'jsonl', 'postiz', 'mixpost', 'buffer'] as const
export type ImportFormat = (typeof importFormats)[number]

export const importRowStatuses = ['waiting', 'ready', 'created', 'exists', 'skipped', 'refused'] as const
export type ImportRowStatus = (typeof importRowStatuses)[number]

const placements = ['draft', 'scheduled'] as const
export type ImportPlacement = (typeof placements)[number]

const ImportRow = StrictObject({
  row: Type.Integer({ description: 'The number of the row in the file, from 1; the header of a CSV is not counted' }),
  key: Type.String({ description: 'What makes the row recognisable: the same key makes no second post' }),
  status: Type.Enum([...importRowStatuses], {
    description:
      'waiting: not looked at yet; ready: would make a post; created: made one; exists: was imported before; skipped: was published by the ' +
      'other tool already; refused: see `code`',
  }),
  placement: Nullable(Type.Enum([...placements], { description: 'What the post is, or would be' })),
  excerpt: Type.String({ maxLength: 80 }),
  accounts: Type.Array(Type.String(), { description: 'The accounts as the file names them' }),
  scheduledAt: Nullable(Type.String({ description: 'As the file has it' })),
  medias: Type.Integer({ description: 'How many files the row has' }),
  postId: Nullable(ObjectId),
  code: Nullable(Type.String({ description: 'Why the row was refused: a code of the API' })),
  message: Nullable(Type.String({ description: 'The same as a sentence' })),
  details: Type.Array(Type.Partial(Detail), { description: 'The fields that are wrong' }),
})
export type ImportRow = Static<typeof ImportRow>

const ImportSummary = StrictObject({
  id: ObjectId,
  name: Nullable(Type.String({ description: 'The name of the file' })),
  format: Type.Enum([...importFormats]),
  createdAt: Timestamp,
  counts: Type.Record(Type.Enum([...importRowStatuses]), Type.Integer()),
})

export const Import = StrictObject({
  ...ImportSummary.properties,
  accounts: Type.Array(
    StrictObject({
      account: Type.String({ description: 'As the file names it' }),
      connection: Nullable(Type.String({ description: 'The slug of the connection that stands for it; null: none was found' })),
      rows: Type.Integer(),
    }),
  ),
  rows: Type.Array(ImportRow, { description: 'The rows that this request looked at; of `GET` all of them' }),
  next: Nullable(Type.Integer({ description: 'The row to go on with, as `from`; null: every row was looked at' })),
})
export type Import = Static<typeof Import>

const runFields = {
  dryRun: Type.Optional(Type.Boolean({ description: 'Only say what would become of each row. Default: true' })),
  placement: Type.Optional(
    Type.Enum([...placements], {
      description:
        'draft: every row becomes a draft; scheduled: rows that the file has as scheduled are scheduled, others become drafts. Default: draft',
    }),
  ),
  oldQueueStopped: Type.Optional(
    Type.Boolean({
      description: 'Say true when the other tool will not publish these posts any more. Without it nothing is scheduled',
    }),
  ),
  accounts: Type.Optional(
    Type.Record(Type.String({ maxLength: 300 }), Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'By the name in the file: the slug of the connection that stands for it. Kept for later runs',
    }),
  ),
}

const use = { scope: 'content:draft', role: 'editor', workspace: 'header', ok: 200 } as const

export const imports = {
  create: endpoint({
    ...use,
    id: 'imports.create',
    method: 'POST',
    path: '/imports',
    summary: 'Read a file of posts, and say what would become of each row, or make the posts',
    body: StrictObject({
      format: Type.Enum([...importFormats], {
        description: 'csv and jsonl have the columns of an export; the others are what these tools give out',
      }),
      content: Type.String({
        minLength: 1,
        maxLength: importCharactersMax,
        description: `The text of the file: at most ${importRowsMax} rows`,
      }),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      timezone: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone of times in the file that have no offset' }),
      ),
      ...runFields,
    }),
    bodyBytesMax: 8_000_000,
    returns: Import,
    ok: 201,
    compress: true,
    errors: ['old_queue_running'],
    audit: 'import.create',
  }),
  run: endpoint({
    ...use,
    id: 'imports.run',
    method: 'POST',
    path: '/imports/:id/run',
    summary: 'Go over the rows of an import again, or go on with them',
    params: IdParam,
    body: StrictObject({
      from: Type.Optional(Type.Integer({ minimum: 1, maximum: importRowsMax, description: 'The first row. Default: 1' })),
      ...runFields,
    }),
    isBodyOptional: true,
    returns: Import,
    compress: true,
    errors: ['import_not_found', 'old_queue_running'],
    audit: 'import.run',
  }),
  list: endpoint({
    id: 'imports.list',
    method: 'GET',
    path: '/imports',
    summary: 'List imports, newest first',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    returns: Type.Array(ImportSummary),
    ok: 200,
    errors: [],
    audit: null,
  }),
  get: endpoint({
    id: 'imports.get',
    method: 'GET',
    path: '/imports/:id',
    summary: 'Get an import with all its rows',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    params: IdParam,
    returns: Import,
    ok: 200,
    compress: true,
    errors: ['import_not_found'],
    audit: null,
  }),
  remove: endpoint({
    ...use,
    id: 'imports.remove',
    method: 'DELETE',
    path: '/imports/:id',
    summary: 'Remove an import and its rows; the posts stay',
    params: IdParam,
    returns: Type.Null(),
    errors: ['import_not_found'],
    audit: 'import.delete',
  }),
}
