import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { platforms } from './platforms.ts'
import {
  Accepted,
  NewDocumentPost,
  NewPhotosPost,
  NewTextPost,
  NewVideoPost,
  Post,
  PostChange,
  PostStatusView,
  PostToValidate,
  postStatuses,
  postTypes,
  Verdict,
} from './post.ts'
import { StrictObject, DateOrInstant, IdParam, Nullable, CommaSeparatedEnum } from './primitives.ts'

const read = { scope: 'content:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const write = { scope: 'content:write', role: 'editor', workspace: 'header', ok: 200 } as const
const singlePost = { params: IdParam, returns: Post } as const

const createWithFiles = {
  ...write,
  method: 'POST',
  returns: Accepted,
  ok: 201,
  also: [202],
  errors: [
    'post_invalid',
    'connection_unknown',
    'connection_needs_reconnect',
    'plan_limit_reached',
    'media_type_refused',
    'media_not_fetched',
    'media_unreadable',
    'media_too_large',
    'url_refused',
  ],
  audit: 'post.create',
} as const

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 })
const Ids = StrictObject({ ids })

const newTime = {
  scheduledAt: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'ISO-8601; without an offset it is a wall-clock time in `timezone`',
  }),
  timezone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone; if absent, that of the post' }),
  ),
}
export const BulkResult = StrictObject({
  requested: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Array(StrictObject({ id: Type.String(), code: Type.String(), message: Type.String() })),
})

const PageQuery = StrictObject({
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  status: Type.Optional(CommaSeparatedEnum(postStatuses)),
  platform: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9_-]+(,[a-z0-9_-]+)*$',
      maxLength: 500,
      examples: [platforms.join(',')],
      description: 'Only posts with a channel on one of these platforms; separated by commas',
    }),
  ),
  type: Type.Optional(CommaSeparatedEnum(postTypes)),
  from: Type.Optional(
    DateOrInstant(
      'The start: a date or an instant. Compared with the scheduled time, or with the creation time of posts without one',
    ),
  ),
  to: Type.Optional(DateOrInstant('The end: a date, which is included completely, or an instant')),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the text or title' })),
  archived: Type.Optional(
    Type.Enum(['true', 'false', 'any'], {
      description: 'true: only archived posts; false: only others; any: both. Default: false',
    }),
  ),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9a-f]{24}$', description: '`nextCursor` of the previous page' })),
})

const PostPage = StrictObject({
  data: Type.Array(Post),
  meta: StrictObject({
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    totalPages: Type.Integer(),
    nextCursor: Nullable(Type.String()),
  }),
})

export const content = {
  createText: endpoint({
    ...write,
    id: 'content.createText',
    method: 'POST',
    path: '/content/text',
    summary: 'Publish, schedule or draft a text post',
    body: NewTextPost,
    returns: Accepted,
    ok: 201,
    also: [202],
    errors: ['post_invalid', 'connection_unknown', 'connection_needs_reconnect', 'plan_limit_reached'],
    audit: 'post.create',
  }),
  createPhotos: endpoint({
    ...createWithFiles,
    id: 'content.createPhotos',
    path: '/content/photos',
    summary: 'Publish, schedule or draft photos',
    body: NewPhotosPost,
  }),
  createVideo: endpoint({
    ...createWithFiles,
    id: 'content.createVideo',
    path: '/content/video',
    summary: 'Publish, schedule or draft a video',
    body: NewVideoPost,
  }),
  createDocument: endpoint({
    ...createWithFiles,
    id: 'content.createDocument',
    path: '/content/document',
    summary: 'Publish, schedule or draft a PDF',
    body: NewDocumentPost,
  }),
  list: endpoint({
    ...read,
    id: 'content.list',
    method: 'GET',
    path: '/content',
    summary: 'List posts, newest first',
    query: PageQuery,
    returns: PostPage,
    errors: [],
  }),
  status: endpoint({
    ...read,
    id: 'content.status',
    method: 'GET',
    path: '/content/status',
    summary: 'Get the status of a post by requestId or uploadId',
    query: StrictObject({ requestId: Type.String({ minLength: 1, maxLength: 64 }) }),
    returns: PostStatusView,
    errors: ['post_not_found'],
  }),
  get: endpoint({
    ...read,
    ...singlePost,
    id: 'content.get',
    method: 'GET',
    path: '/content/:id',
    summary: 'Get a post',
    errors: ['post_not_found'],
  }),
  validate: endpoint({
    ...read,
    id: 'content.validate',
    method: 'POST',
    path: '/content/validate',
    summary: 'Check a post against every platform without storing it',
    body: PostToValidate,
    returns: Verdict,
    errors: [],
  }),
  update: endpoint({
    ...write,
    ...singlePost,
    id: 'content.update',
    method: 'PATCH',
    path: '/content/:id',
    summary: 'Change a draft',
    body: PostChange,
    errors: ['post_not_found', 'not_a_draft', 'connection_unknown'],
    audit: 'post.update',
  }),
  publish: endpoint({
    ...write,
    ...singlePost,
    id: 'content.publish',
    method: 'POST',
    path: '/content/:id/publish',
    summary: 'Publish a draft',
    errors: ['post_not_found', 'not_a_draft', 'post_invalid', 'connection_needs_reconnect', 'plan_limit_reached'],
    audit: 'post.publish',
  }),
  publishNow: endpoint({
    ...write,
    ...singlePost,
    id: 'content.publishNow',
    method: 'POST',
    path: '/content/:id/publish-now',
    summary: 'Publish a scheduled post immediately',
    errors: ['post_not_found', 'not_scheduled'],
    audit: 'post.publish_now',
  }),
  reschedule: endpoint({
    ...write,
    ...singlePost,
    id: 'content.reschedule',
    method: 'POST',
    path: '/content/:id/reschedule',
    summary: 'Move a scheduled post to another time',
    body: StrictObject(newTime),
    errors: ['post_not_found', 'not_scheduled', 'already_publishing'],
    audit: 'post.reschedule',
  }),
  unschedule: endpoint({
    ...write,
    ...singlePost,
    id: 'content.unschedule',
    method: 'POST',
    path: '/content/:id/unschedule',
    summary: 'Turn a scheduled post back into a draft',
    errors: ['post_not_found', 'not_scheduled', 'already_publishing'],
    audit: 'post.unschedule',
  }),
  retry: endpoint({
    ...write,
    ...singlePost,
    id: 'content.retry',
    method: 'POST',
    path: '/content/:id/retry',
    summary: 'Send the failed channels and failed first comments again',
    errors: ['post_not_found', 'nothing_to_retry', 'connection_needs_reconnect'],
    audit: 'post.retry',
  }),
  resolve: endpoint({
    ...write,
    id: 'content.resolve',
    method: 'POST',
    path: '/content/:id/channels/:channelId/resolve',
    summary: 'Set the outcome of an unconfirmed channel',
    params: StrictObject({
      id: Type.String({ minLength: 1, maxLength: 64 }),
      channelId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    body: StrictObject({
      outcome: Type.Enum(['published', 'not_published']),
      postUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 })),
    }),
    returns: Post,
    errors: ['post_not_found', 'channel_not_found', 'not_unconfirmed'],
    audit: 'channel.resolve',
  }),
  archive: endpoint({
    ...write,
    ...singlePost,
    id: 'content.archive',
    method: 'PATCH',
    path: '/content/:id/archive',
    summary: 'Archive a post: it is no longer listed by default',
    errors: ['post_not_found'],
    audit: 'post.archive',
  }),
  unarchive: endpoint({
    ...write,
    ...singlePost,
    id: 'content.unarchive',
    method: 'PATCH',
    path: '/content/:id/unarchive',
    summary: 'Unarchive a post: it is listed by default again',
    errors: ['post_not_found'],
    audit: 'post.unarchive',
  }),
  remove: endpoint({
    ...write,
    id: 'content.remove',
    method: 'DELETE',
    path: '/content/:id',
    summary: 'Delete a post permanently',
    params: IdParam,
    query: StrictObject({
      unpublish: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'Delete the post on the platforms too, if they support it' }),
      ),
    }),
    returns: Nullable(
      StrictObject({
        channels: Type.Array(
          StrictObject({
            id: Type.String(),
            connection: Type.String(),
            outcome: Type.Enum(['removed', 'not_supported', 'not_published', 'failed']),
            message: Nullable(Type.String()),
          }),
        ),
      }),
    ),
    errors: ['post_not_found'],
    audit: 'post.delete',
  }),
  bulkDelete: endpoint({
    ...write,
    id: 'content.bulkDelete',
    method: 'POST',
    path: '/content/bulk-delete',
    summary: 'Delete many posts',
    body: Ids,
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_delete',
  }),
  bulkArchive: endpoint({
    ...write,
    id: 'content.bulkArchive',
    method: 'POST',
    path: '/content/bulk-archive',
    summary: 'Archive many posts',
    body: Ids,
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_archive',
  }),
  bulkUnarchive: endpoint({
    ...write,
    id: 'content.bulkUnarchive',
    method: 'POST',
    path: '/content/bulk-unarchive',
    summary: 'Unarchive many posts',
    body: Ids,
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_unarchive',
  }),
  bulkRetry: endpoint({
    ...write,
    id: 'content.bulkRetry',
    method: 'POST',
    path: '/content/bulk-retry',
    summary: 'Retry many posts',
    body: Ids,
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_retry',
  }),
  bulkReschedule: endpoint({
    ...write,
    id: 'content.bulkReschedule',
    method: 'POST',
    path: '/content/bulk-reschedule',
    summary: 'Move many scheduled posts to another time',
    body: StrictObject({ ids, ...newTime }),
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_reschedule',
  }),
}
