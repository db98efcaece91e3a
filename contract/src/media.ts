import { Type, type Static } from 'typebox'
import { BulkResult } from './content.ts'
import { endpoint } from './endpoint.ts'
import { folderEndpoints, folderFilter } from './media-folders.ts'
import { StrictObject, IdCursor, IdParam, Nullable, ObjectId, PageNumber, Timestamp, WebUrl } from './primitives.ts'

export const mediaTypes = ['image', 'video', 'document'] as const
export type MediaType = (typeof mediaTypes)[number]

const Alt = Type.String({ maxLength: 5000, description: 'Alternative text for people who cannot see the image' })
const Description = Type.String({ maxLength: 5000 })
// No commas, because the list endpoint takes its tags separated by commas.
const Tag = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^,]+$', 'x-message': 'A tag must not contain a comma.' })
/** At most this many tags on a media item. */
export const mediaTagsMax = 50

const Tags = Type.Array(Tag, { maxItems: mediaTagsMax, uniqueItems: true })
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
  folderId: Nullable(ObjectId),
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

/** An upload that is not complete. */
export const PendingUpload = StrictObject({
  id: ObjectId,
  name: Type.String(),
  sizeBytes: Type.Integer(),
  partSizeBytes: Type.Integer({ description: 'Every part but the last has exactly this size' }),
  expiresAt: Timestamp,
  createdAt: Timestamp,
})
export type PendingUpload = Static<typeof PendingUpload>

/** An upload with what is needed to continue it, in any browser. */
export const ResumableUpload = StrictObject({
  ...PendingUpload.properties,
  parts: Type.Array(
    StrictObject({
      partNumber: Type.Integer(),
      url: Type.String({ description: 'Where the part is sent with PUT, until `expiresAt`' }),
      etag: Nullable(Type.String({ description: 'The ETag of the part; null if it has not arrived' })),
    }),
  ),
})
export type ResumableUpload = Static<typeof ResumableUpload>

/** How long an upload address works. */
export const uploadTicketMinutes = 15

export const UploadTicket = StrictObject({
  id: ObjectId,
  status: Type.Enum(['open', 'used', 'ended'], { description: 'ended: it has expired without a file' }),
  sizeBytesMax: Type.Integer({ description: 'A larger file is refused' }),
  mediaId: Nullable(Type.String({ description: 'The file that was sent' })),
  expiresAt: Timestamp,
  createdAt: Timestamp,
})
export type UploadTicket = Static<typeof UploadTicket>

/** Its address is shown once: only a hash of its secret is stored. */
export const NewUploadTicket = StrictObject({
  ...UploadTicket.properties,
  url: Type.String({
    description:
      'Where one file is sent, once, as the body of a PUT; a name can follow after a slash. In a browser it is a page on which a person chooses the file',
  }),
})
export type NewUploadTicket = Static<typeof NewUploadTicket>

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
const fileErrors = [
  'media_too_large',
  'storage_full',
  'installation_storage_full',
  'media_type_refused',
  'media_unreadable',
] as const

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
    summary: 'List media, newest first unless `sort` says otherwise',
    query: StrictObject({
      type: Type.Optional(Type.Enum([...mediaTypes])),
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name' })),
      tags: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '^[^,]+(,[^,]+)*$',
          'x-message': 'Must be one or more tags, separated by commas.',
          description: 'Only media with at least one of these tags; separated by commas',
        }),
      ),
      ...folderFilter,
      unused: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'true: only media that no post uses; false: only media that a post uses' }),
      ),
      withoutAlt: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'true: only images without an alt text; false: only images with one' }),
      ),
      sort: Type.Optional(
        Type.Enum(['createdAt', 'name', 'sizeBytes'], {
          description: 'createdAt: newest first; name: alphabetically; sizeBytes: largest first. Default: createdAt',
        }),
      ),
      page: Type.Optional(PageNumber),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      cursor: Type.Optional(IdCursor),
    }),
    returns: MediaPage,
    errors: [],
  }),
  tags: endpoint({
    ...read,
    id: 'media.tags',
    method: 'GET',
    path: '/media/tags',
    summary: 'The tags of the media library, most used first, at most 500',
    returns: Type.Array(StrictObject({ tag: Type.String(), count: Type.Integer({ minimum: 1 }) })),
    errors: [],
  }),
  ...folderEndpoints,
  fetch: endpoint({
    ...write,
    id: 'media.fetch',
    method: 'POST',
    path: '/media/fetch',
    summary: 'Fetch a file from a URL into the media library',
    body: StrictObject({ url: Type.String(WebUrl) }),
    returns: Media,
    ok: 201,
    errors: [...fileErrors, 'media_not_fetched', 'url_refused'],
    audit: 'media.fetch',
  }),
  uploads: endpoint({
    ...read,
    role: 'editor',
    scope: 'media:write',
    id: 'media.uploads',
    method: 'GET',
    path: '/media/uploads',
    summary: 'The uploads in parts that are not complete yet, newest first, at most 100',
    returns: Type.Array(PendingUpload),
    errors: [],
  }),
  uploadStatus: endpoint({
    ...read,
    role: 'editor',
    scope: 'media:write',
    id: 'media.uploadStatus',
    method: 'GET',
    path: '/media/uploads/:id',
    summary: 'An upload in parts: which parts have arrived, and new URLs for all of them',
    params: IdParam,
    returns: ResumableUpload,
    errors: ['upload_not_found'],
  }),
  createUploadTicket: endpoint({
    ...write,
    id: 'media.createUploadTicket',
    method: 'POST',
    path: '/media/upload-tickets',
    summary: 'Make an address to which somebody else sends one file, within 15 minutes and without a key',
    body: StrictObject({
      sizeBytesMax: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'At most, and by default, what any file may have',
        }),
      ),
      alt: Type.Optional(Alt),
    }),
    isBodyOptional: true,
    returns: NewUploadTicket,
    returnsSecret: true,
    ok: 201,
    errors: ['quota_reached', 'storage_full', 'installation_storage_full'],
    audit: 'media.create_upload_ticket',
  }),
  uploadTicket: endpoint({
    ...read,
    id: 'media.uploadTicket',
    method: 'GET',
    path: '/media/upload-tickets/:id',
    summary: 'Whether the file of an upload address has arrived',
    params: IdParam,
    returns: UploadTicket,
    errors: ['upload_not_found'],
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
  bulkTag: endpoint({
    ...write,
    id: 'media.bulkTag',
    method: 'POST',
    path: '/media/bulk-tag',
    summary: 'Add tags to many media items, and take tags away',
    body: StrictObject({
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
      add: Type.Optional(Tags),
      remove: Type.Optional(Tags),
    }),
    returns: BulkResult,
    errors: [],
    audit: 'media.bulk_tag',
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
    body: StrictObject({ name: Name, sizeBytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    returns: MediaUpload,
    ok: 201,
    errors: ['media_too_large', 'storage_full', 'installation_storage_full'],
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
