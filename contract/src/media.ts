import { Type, type Static } from 'typebox'
import { BulkResult } from './content.ts'
import { endpoint } from './endpoint.ts'
import { StrictObject, IdParam, Nullable, ObjectId, Timestamp } from './primitives.ts'

export const mediaTypes = ['image', 'video', 'document'] as const
export type MediaType = (typeof mediaTypes)[number]

const Alt = Type.String({ maxLength: 5000, description: 'Alternative text for people who cannot see the image' })
const Description = Type.String({ maxLength: 5000 })
// No commas, because the list endpoint takes its tags separated by commas.
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '^[^,]+$' }), { maxItems: 50, uniqueItems: true })
const Name = Type.String({ minLength: 1, maxLength: 255 })

export const Media = StrictObject({
  id: ObjectId,
  name: Type.String({ description: 'The original file name' }),
  type: Type.Enum([...mediaTypes]),
  mimeType: Type.String({ description: 'Detected from the content of the file, not from its name' }),
  sizeBytes: Type.Integer(),
  url: Type.String({ description: 'A signed URL that is valid for one hour' }),
  thumbnailUrl: Nullable(Type.String({ description: 'A signed URL that is valid for one hour' })),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  durationSeconds: Nullable(Type.Number()),
  pages: Nullable(Type.Integer()),
  tags: Type.Array(Type.String()),
  alt: Type.String(),
  description: Type.String(),
  usedBy: Type.Array(ObjectId, { description: 'The posts that use the file, newest first, at most 100' }),
  createdAt: Timestamp,
})
export type Media = Static<typeof Media>

/** A multipart/form-data request with exactly one file and no other fields. */
export const MediaForm = StrictObject({
  file: Type.String({ description: 'The content of the file', contentMediaType: 'application/octet-stream' }),
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
  nextCursor: Nullable(Type.String({ description: 'The cursor of the next page; null on the last page' })),
})

const ForceQuery = StrictObject({
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Delete a file even if a post that may still be published uses it' }),
  ),
})

const read = { scope: 'media:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const write = { scope: 'media:write', role: 'editor', workspace: 'header', ok: 200 } as const
const fileErrors = ['media_too_large', 'media_type_refused', 'media_unreadable'] as const

export const media = {
  upload: endpoint({
    ...write,
    id: 'media.upload',
    method: 'POST',
    path: '/media/upload',
    summary: 'Upload a file to the media library',
    form: MediaForm,
    returns: Media,
    ok: 201,
    errors: fileErrors,
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
          description: 'Only media with at least one of these tags; separated by commas',
        }),
      ),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      cursor: Type.Optional(Type.String({ pattern: '^[0-9a-f]{24}$', description: '`nextCursor` of the previous page' })),
    }),
    returns: MediaPage,
    errors: [],
  }),
  get: endpoint({
    ...read,
    id: 'media.get',
    method: 'GET',
    path: '/media/:id',
    summary: 'Get a media item',
    params: IdParam,
    returns: Media,
    errors: ['media_not_found'],
  }),
  update: endpoint({
    ...write,
    id: 'media.update',
    method: 'PATCH',
    path: '/media/:id',
    summary: 'Change the alt text, description and tags of a media item',
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
    query: ForceQuery,
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
    query: ForceQuery,
    returns: BulkResult,
    errors: [],
    audit: 'media.bulk_delete',
  }),
  startUpload: endpoint({
    ...write,
    id: 'media.startUpload',
    method: 'POST',
    path: '/media/uploads',
    summary: 'Start the upload of a large file in parts, directly to the file store',
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
          etag: Type.String({ minLength: 1, maxLength: 200, description: 'The ETag header of the response to the part' }),
        }),
        { minItems: 1, maxItems: 10_000 },
      ),
    }),
    returns: Media,
    ok: 201,
    errors: ['upload_not_found', 'upload_incomplete', ...fileErrors],
    audit: 'media.complete_upload',
  }),
  abortUpload: endpoint({
    ...write,
    id: 'media.abortUpload',
    method: 'DELETE',
    path: '/media/uploads/:id',
    summary: 'Abort an upload and delete the parts already sent',
    params: IdParam,
    returns: Type.Null(),
    errors: ['upload_not_found'],
    audit: 'media.abort_upload',
  }),
}
