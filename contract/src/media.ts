import { Type, type Static } from 'typebox'
import { BulkResult } from './content.ts'
import { endpoint } from './endpoint.ts'
import { StrictObject, IdParam, Nullable, ObjectId, Timestamp } from './primitives.ts'

export const mediaTypes = ['image', 'video', 'document'] as const
export type MediaType = (typeof mediaTypes)[number]

const Alt = Type.String({ maxLength: 5000, description: 'What can be seen, for those who cannot see it' })
const Description = Type.String({ maxLength: 5000 })
// A comma would make the tag impossible to ask for in a list.
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '^[^,]+$' }), { maxItems: 50, uniqueItems: true })
const Name = Type.String({ minLength: 1, maxLength: 255 })

export const Media = StrictObject({
  id: ObjectId,
  name: Type.String({ description: 'The file’s name as it came' }),
  type: Type.Enum([...mediaTypes]),
  mimeType: Type.String({ description: 'From the bytes, never from the name' }),
  sizeBytes: Type.Integer(),
  url: Type.String({ description: 'Signed; works for an hour' }),
  thumbnailUrl: Nullable(Type.String({ description: 'Signed; works for an hour' })),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  durationSeconds: Nullable(Type.Number()),
  pages: Nullable(Type.Integer()),
  tags: Type.Array(Type.String()),
  alt: Type.String(),
  description: Type.String(),
  usedBy: Type.Array(ObjectId, { description: 'The posts that use it, newest first, at most 100' }),
  createdAt: Timestamp,
})
export type Media = Static<typeof Media>

/** The whole of a multipart/form-data request: one file, nothing else. */
export const MediaForm = StrictObject({
  file: Type.String({ description: 'The file itself', contentMediaType: 'application/octet-stream' }),
})

export const MediaUpload = StrictObject({
  id: ObjectId,
  partSizeBytes: Type.Integer({ description: 'Every part but the last has exactly this size' }),
  parts: Type.Array(StrictObject({ partNumber: Type.Integer(), url: Type.String() })),
  expiresAt: Timestamp,
})
export type MediaUpload = Static<typeof MediaUpload>

const MediaPage = StrictObject({
  results: Type.Array(Media),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  nextCursor: Nullable(Type.String({ description: 'For the next page; null at the end' })),
})

const Forced = StrictObject({
  force: Type.Optional(Type.Enum(['true', 'false'], { description: 'Even what a post still to be published needs' })),
})

const read = { scope: 'media:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const write = { scope: 'media:write', role: 'editor', workspace: 'header', ok: 200 } as const
const refusals = ['media_too_large', 'media_type_refused', 'media_unreadable'] as const

export const media = {
  upload: endpoint({
    ...write,
    id: 'media.upload',
    method: 'POST',
    path: '/media/upload',
    summary: 'Put a file into the library',
    form: MediaForm,
    returns: Media,
    ok: 201,
    errors: refusals,
    audit: 'media.upload',
  }),
  list: endpoint({
    ...read,
    id: 'media.list',
    method: 'GET',
    path: '/media',
    summary: 'List media, newest first',
    query: StrictObject({
      type: Type.Optional(Type.Enum([...mediaTypes])),
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name' })),
      tags: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '^[^,]+(,[^,]+)*$',
          description: 'Any of these, with commas between',
        }),
      ),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      cursor: Type.Optional(Type.String({ pattern: '^[0-9a-f]{24}$', description: '`nextCursor` of the page before' })),
    }),
    returns: MediaPage,
    errors: [],
  }),
  get: endpoint({
    ...read,
    id: 'media.get',
    method: 'GET',
    path: '/media/:id',
    summary: 'One media item',
    params: IdParam,
    returns: Media,
    errors: ['media_not_found'],
  }),
  update: endpoint({
    ...write,
    id: 'media.update',
    method: 'PATCH',
    path: '/media/:id',
    summary: 'Describe and tag a media item',
    params: IdParam,
    body: StrictObject({ alt: Type.Optional(Alt), description: Type.Optional(Description), tags: Type.Optional(Tags) }),
    returns: Media,
    errors: ['media_not_found'],
    audit: 'media.update',
  }),
  remove: endpoint({
    ...write,
    id: 'media.remove',
    method: 'DELETE',
    path: '/media/:id',
    summary: 'Delete a media item',
    params: IdParam,
    query: Forced,
    returns: Type.Null(),
    errors: ['media_not_found', 'media_in_use'],
    audit: 'media.delete',
  }),
  bulkDelete: endpoint({
    ...write,
    id: 'media.bulkDelete',
    method: 'POST',
    path: '/media/bulk-delete',
    summary: 'Delete many media items',
    body: StrictObject({ ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }) }),
    query: Forced,
    returns: BulkResult,
    errors: [],
    audit: 'media.bulk_delete',
  }),
  startUpload: endpoint({
    ...write,
    id: 'media.startUpload',
    method: 'POST',
    path: '/media/uploads',
    summary: 'Begin the upload of a large file in parts, straight to the store',
    body: StrictObject({ name: Name, sizeBytes: Type.Integer({ minimum: 1 }) }),
    returns: MediaUpload,
    ok: 201,
    errors: ['media_too_large'],
    audit: 'media.start_upload',
  }),
  completeUpload: endpoint({
    ...write,
    id: 'media.completeUpload',
    method: 'POST',
    path: '/media/uploads/:id/complete',
    summary: 'Turn the uploaded parts into a media item',
    params: IdParam,
    body: StrictObject({
      parts: Type.Array(
        StrictObject({
          partNumber: Type.Integer({ minimum: 1, maximum: 10_000 }),
          etag: Type.String({ minLength: 1, maxLength: 200, description: 'The ETag header the part was answered with' }),
        }),
        { minItems: 1, maxItems: 10_000 },
      ),
    }),
    returns: Media,
    ok: 201,
    errors: ['upload_not_found', 'upload_incomplete', ...refusals],
    audit: 'media.complete_upload',
  }),
  abortUpload: endpoint({
    ...write,
    id: 'media.abortUpload',
    method: 'DELETE',
    path: '/media/uploads/:id',
    summary: 'Give up an upload and what was sent of it',
    params: IdParam,
    returns: Type.Null(),
    errors: ['upload_not_found'],
    audit: 'media.abort_upload',
  }),
}
