import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { externalIdFilter } from './external-id.ts'
import { labelFilter, PostLabels, shownLabels } from './planning/labels.ts'
import { seriesFilter, shownSeries } from './planning/shown-series.ts'
import { platforms } from './platforms.ts'
import {
  Accepted,
  approvalStates,
  NewDocumentPost,
  NewPhotosPost,
  NewTextPost,
  NewVideoPost,
  OneFileForm,
  PhotosForm,
  Post,
  PostChange,
  PostStatusView,
  PostToValidate,
  postStatuses,
  postTypes,
  TimelineEntry,
  Verdict,
} from './post.ts'
import { QueueName } from './queues.ts'
import {
  StrictObject,
  DateOrInstant,
  IdCursor,
  IdParam,
  Nullable,
  ObjectId,
  Timestamp,
  CommaSeparatedEnum,
  PageNumber,
  WebUrl,
} from './primitives.ts'

const read = { scope: 'content:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
/** For drafts. A post that is no draft, or is to be one no longer, needs `content:publish` too; `lockPost` and `permitRelease` ask for it. */
const write = { scope: 'content:draft', role: 'editor', workspace: 'header', ok: 200 } as const
const release = { ...write, scope: 'content:publish' } as const
/** For people and keys who approve what others submit. */
const approve = { scope: 'content:approve', role: 'admin', workspace: 'header', ok: 200 } as const
/** What the approval of posts and the limits of an API key may refuse. */
const releaseErrors = [
  'approval_required',
  'connection_not_allowed',
  'hours_not_allowed',
  'duplicate_refused',
  'key_limit_reached',
] as const
const Comment = Type.String({ minLength: 1, maxLength: 2000 })
const singlePost = { params: IdParam, returns: Post, hasETag: true } as const

const fileErrors = [
  'media_type_refused',
  'media_not_fetched',
  'media_unreadable',
  'media_too_large',
  'storage_full',
  'installation_storage_full',
  'url_refused',
] as const

/** What any new post may be refused for. */
const createErrors = [
  'post_invalid',
  'connection_unknown',
  'connection_needs_reconnect',
  'plan_limit_reached',
  'external_id_taken',
  'queue_not_found',
  'queue_full',
  ...releaseErrors,
] as const

const createWithFiles = {
  ...write,
  method: 'POST',
  returns: Accepted,
  ok: 201,
  also: [202],
  errors: [...createErrors, ...fileErrors],
  audit: 'post.create',
} as const

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 })
const Ids = StrictObject({ ids })

const RetryBody = StrictObject({
  channels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Only these channels of the post, by id. Absent: all that failed',
    }),
  ),
})

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
const LinkCard = StrictObject({
  url: Type.String(),
  title: Nullable(Type.String({ description: 'Null if the page could not be read, or has none' })),
  description: Nullable(Type.String()),
  picture: Nullable(Type.String({ description: 'As a data URL; null if the page names none, or it could not be fetched' })),
})

export const BulkResult = StrictObject({
  requested: Type.Integer({ description: 'The number of different ids; the sum of `succeeded` and the length of `failed`' }),
  succeeded: Type.Integer(),
  failed: Type.Array(StrictObject({ id: Type.String(), code: Type.String(), message: Type.String() })),
})

const PlatformFilter = Type.String({
  pattern: '^[a-z0-9_-]+(,[a-z0-9_-]+)*$',
  maxLength: 500,
  examples: [platforms.join(',')],
  'x-message': `Must be names of platforms, separated by commas, such as ${platforms.slice(0, 2).join(',')}.`,
  description: 'Only posts with a channel on one of these platforms; separated by commas',
})
const ConnectionFilter = Type.String({
  pattern: '^[^,\\s]+(,[^,\\s]+)*$',
  maxLength: 2000,
  'x-message': 'Must be slugs or ids of connections, separated by commas.',
  description: 'Only posts with a channel on one of these connections, by slug or id; separated by commas',
})
const SearchFilter = Type.String({ minLength: 1, maxLength: 200, description: 'Part of the text or title' })

/** In the query of a list, and of an export. */
export const postFilters = {
  status: Type.Optional(CommaSeparatedEnum(postStatuses)),
  platform: Type.Optional(PlatformFilter),
  type: Type.Optional(CommaSeparatedEnum(postTypes)),
  from: Type.Optional(
    DateOrInstant(
      'The start: a date or an instant. Compared with the scheduled time, or with the creation time of posts without one',
    ),
  ),
  to: Type.Optional(DateOrInstant('The end: a date, which is included completely, or an instant')),
  search: Type.Optional(SearchFilter),
  archived: Type.Optional(
    Type.Enum(['true', 'false', 'any'], {
      description: 'true: only archived posts; false: only others; any: both. Default: false',
    }),
  ),
  connection: Type.Optional(ConnectionFilter),
  approval: Type.Optional(CommaSeparatedEnum(['pending', 'approved', 'changes_requested'])),
  ...labelFilter,
  ...seriesFilter,
  ...externalIdFilter,
}

const PageQuery = StrictObject({
  page: Type.Optional(PageNumber),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  ...postFilters,
  sort: Type.Optional(
    Type.Enum(['createdAt', 'scheduledAt'], {
      description:
        'createdAt: newest first; scheduledAt: by scheduled time, or creation time of posts without one, soonest first. Default: createdAt',
    }),
  ),
  cursor: Type.Optional(IdCursor),
})

const PostPage = StrictObject({
  data: Type.Array(Post),
  meta: StrictObject({
    total: Type.Integer({ description: 'How many posts match. With `search`, counting stops at 10,000' }),
    page: Type.Integer(),
    limit: Type.Integer(),
    totalPages: Type.Integer(),
    nextCursor: Nullable(Type.String()),
  }),
})

/** A post as a calendar shows it. It has no signed URL, so that a month of posts is small and can be kept in an open page. */
export const CalendarEntry = StrictObject({
  uploadId: ObjectId,
  at: Type.Unsafe<string>({
    ...Timestamp,
    description: 'The scheduled time; of a post without one the time at which it was published, or created if it never was',
  }),
  timezone: Nullable(Type.String()),
  status: Type.Enum([...postStatuses]),
  type: Type.Enum([...postTypes]),
  excerpt: Type.String({ maxLength: 80, description: 'The title, or the beginning of the text' }),
  connections: Type.Array(ObjectId, { description: 'The connections of the channels' }),
  failed: Type.Integer({ description: 'How many channels failed or are unconfirmed' }),
  unconfirmed: Type.Integer({ description: 'How many of these are unconfirmed: the post may be there' }),
  approval: Type.Enum([...approvalStates]),
  ...shownLabels,
  ...shownSeries,
  mediaId: Nullable(ObjectId),
  hasPicture: Type.Boolean({ description: 'Whether the file `mediaId` has a thumbnail; a document may have none' }),
  updatedAt: Timestamp,
})
export type CalendarEntry = Static<typeof CalendarEntry>

export const calendarEntriesMax = 2000

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
    errors: createErrors,
    audit: 'post.create',
  }),
  createPhotos: endpoint({
    ...createWithFiles,
    id: 'content.createPhotos',
    path: '/content/photos',
    summary: 'Publish, schedule or draft photos',
    body: NewPhotosPost,
    form: PhotosForm,
  }),
  createVideo: endpoint({
    ...createWithFiles,
    id: 'content.createVideo',
    path: '/content/video',
    summary: 'Publish, schedule or draft a video',
    body: NewVideoPost,
    form: OneFileForm,
  }),
  createDocument: endpoint({
    ...createWithFiles,
    id: 'content.createDocument',
    path: '/content/document',
    summary: 'Publish, schedule or draft a PDF',
    body: NewDocumentPost,
    form: OneFileForm,
  }),
  list: endpoint({
    ...read,
    id: 'content.list',
    method: 'GET',
    path: '/content',
    summary: 'List posts, newest first unless `sort` says otherwise',
    query: PageQuery,
    returns: PostPage,
    errors: [],
  }),
  calendar: endpoint({
    ...read,
    id: 'content.calendar',
    method: 'GET',
    path: '/content/calendar',
    summary: 'The posts of a calendar between two days, ordered by time; without archived posts and drafts that have no time',
    query: StrictObject({
      from: DateOrInstant('The start: a date or an instant'),
      to: DateOrInstant('The end: a date, which is included completely, or an instant'),
      status: Type.Optional(CommaSeparatedEnum(postStatuses)),
      platform: Type.Optional(PlatformFilter),
      connection: Type.Optional(ConnectionFilter),
      search: Type.Optional(SearchFilter),
      ...labelFilter,
    }),
    returns: StrictObject({
      entries: Type.Array(CalendarEntry, { description: `At most ${calendarEntriesMax}` }),
      truncated: Type.Boolean({ description: 'There are more entries: ask for fewer days' }),
    }),
    compress: true,
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
  timeline: endpoint({
    ...read,
    id: 'content.timeline',
    method: 'GET',
    path: '/content/:id/timeline',
    summary: 'What happened to each channel of a post, oldest first',
    params: IdParam,
    returns: Type.Array(TimelineEntry),
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
  linkCard: endpoint({
    ...read,
    id: 'content.linkCard',
    method: 'GET',
    path: '/content/link-card',
    summary: 'Show the card that a link would get, on platforms where the card is made by us',
    query: StrictObject({ url: Type.String({ ...WebUrl, description: 'The address of the page' }) }),
    returns: LinkCard,
    errors: [],
  }),
  update: endpoint({
    ...write,
    ...singlePost,
    id: 'content.update',
    method: 'PATCH',
    path: '/content/:id',
    summary: 'Change a draft, or with `keepSchedule` a scheduled post',
    body: PostChange,
    ifMatch: true,
    autosave: true,
    errors: [
      'post_not_found',
      'not_a_draft',
      'draft_changed',
      'not_scheduled',
      'already_publishing',
      'post_invalid',
      'connection_unknown',
      'connection_needs_reconnect',
      'external_id_taken',
      ...releaseErrors,
      ...fileErrors,
    ],
    audit: 'post.update',
  }),
  publish: endpoint({
    ...release,
    ...singlePost,
    id: 'content.publish',
    method: 'POST',
    path: '/content/:id/publish',
    summary: 'Publish a draft',
    ifMatch: true,
    errors: [
      'post_not_found',
      'not_a_draft',
      'draft_changed',
      'post_invalid',
      'connection_unknown',
      'connection_needs_reconnect',
      'plan_limit_reached',
      ...releaseErrors,
    ],
    audit: 'post.publish',
  }),
  publishNow: endpoint({
    ...release,
    ...singlePost,
    id: 'content.publishNow',
    method: 'POST',
    path: '/content/:id/publish-now',
    summary: 'Publish a scheduled post immediately',
    errors: ['post_not_found', 'not_scheduled', ...releaseErrors],
    audit: 'post.publish_now',
  }),
  reschedule: endpoint({
    ...release,
    ...singlePost,
    id: 'content.reschedule',
    method: 'POST',
    path: '/content/:id/reschedule',
    summary: 'Move a scheduled post to another time',
    body: StrictObject(newTime),
    errors: ['post_not_found', 'not_scheduled', 'already_publishing', ...releaseErrors],
    audit: 'post.reschedule',
  }),
  enqueue: endpoint({
    ...release,
    ...singlePost,
    id: 'content.enqueue',
    method: 'POST',
    path: '/content/:id/queue',
    summary: 'Put a draft or a scheduled post into the next free slot of a queue',
    body: StrictObject({ queue: Type.Optional(QueueName) }),
    isBodyOptional: true,
    ifMatch: true,
    errors: [
      'post_not_found',
      'queue_not_found',
      'queue_full',
      'not_scheduled',
      'already_publishing',
      'draft_changed',
      'post_invalid',
      'connection_unknown',
      'connection_needs_reconnect',
      'plan_limit_reached',
      ...releaseErrors,
    ],
    audit: 'post.enqueue',
  }),
  submit: endpoint({
    ...write,
    ...singlePost,
    id: 'content.submit',
    method: 'POST',
    path: '/content/:id/submit',
    summary: 'Submit a draft for approval',
    body: StrictObject({
      scheduledAt: Type.Optional(
        Type.Unsafe<string>({
          ...newTime.scheduledAt,
          description: 'When it is to be published. Default: the time of the draft, or as soon as it is approved',
        }),
      ),
      timezone: newTime.timezone,
      comment: Type.Optional(Comment),
    }),
    isBodyOptional: true,
    ifMatch: true,
    errors: [
      'post_not_found',
      'not_a_draft',
      'draft_changed',
      'post_invalid',
      'connection_unknown',
      'connection_needs_reconnect',
      'connection_not_allowed',
    ],
    audit: 'post.submit',
  }),
  approve: endpoint({
    ...approve,
    ...singlePost,
    id: 'content.approve',
    method: 'POST',
    path: '/content/:id/approve',
    summary: 'Approve a submitted post, which publishes it at the time that was wished for, or at once if that has passed',
    body: StrictObject({
      revision: Type.String({
        minLength: 1,
        maxLength: 64,
        description: '`approval.revision` of the post that you looked at; another one is refused',
      }),
      comment: Type.Optional(Comment),
    }),
    errors: [
      'post_not_found',
      'not_submitted',
      'approval_own',
      'approval_changed',
      'post_invalid',
      'connection_unknown',
      'connection_needs_reconnect',
      'plan_limit_reached',
      'connection_not_allowed',
      'hours_not_allowed',
      'duplicate_refused',
      'key_limit_reached',
    ],
    audit: 'post.approve',
  }),
  requestChanges: endpoint({
    ...approve,
    ...singlePost,
    id: 'content.requestChanges',
    method: 'POST',
    path: '/content/:id/request-changes',
    summary: 'Return a submitted post to its authors with a comment',
    body: StrictObject({ comment: Comment }),
    errors: ['post_not_found', 'not_submitted', 'connection_not_allowed'],
    audit: 'post.request_changes',
  }),
  withdraw: endpoint({
    ...write,
    ...singlePost,
    id: 'content.withdraw',
    method: 'POST',
    path: '/content/:id/withdraw',
    summary: 'Take a submitted post back; it stays a draft',
    errors: ['post_not_found', 'not_submitted', 'connection_not_allowed'],
    audit: 'post.withdraw',
  }),
  unschedule: endpoint({
    ...release,
    ...singlePost,
    id: 'content.unschedule',
    method: 'POST',
    path: '/content/:id/unschedule',
    summary: 'Turn a scheduled post back into a draft',
    errors: ['post_not_found', 'not_scheduled', 'already_publishing', 'connection_not_allowed'],
    audit: 'post.unschedule',
  }),
  retry: endpoint({
    ...release,
    ...singlePost,
    id: 'content.retry',
    method: 'POST',
    path: '/content/:id/retry',
    summary: 'Send the failed channels and failed first comments again, or those of them that `channels` names',
    body: RetryBody,
    isBodyOptional: true,
    errors: ['post_not_found', 'channel_not_found', 'nothing_to_retry', 'connection_needs_reconnect', ...releaseErrors],
    audit: 'post.retry',
  }),
  resolve: endpoint({
    ...release,
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
      postUrl: Type.Optional(Type.String(WebUrl)),
    }),
    returns: Post,
    errors: ['post_not_found', 'channel_not_found', 'not_unconfirmed', 'connection_not_allowed'],
    audit: 'channel.resolve',
  }),
  archive: endpoint({
    ...write,
    ...singlePost,
    id: 'content.archive',
    method: 'PATCH',
    path: '/content/:id/archive',
    summary: 'Archive a post: it is no longer listed by default',
    errors: ['post_not_found', 'connection_not_allowed'],
    audit: 'post.archive',
  }),
  unarchive: endpoint({
    ...write,
    ...singlePost,
    id: 'content.unarchive',
    method: 'PATCH',
    path: '/content/:id/unarchive',
    summary: 'Unarchive a post: it is listed by default again',
    errors: ['post_not_found', 'connection_not_allowed'],
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
    errors: ['post_not_found', 'connection_not_allowed'],
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
    ...release,
    id: 'content.bulkRetry',
    method: 'POST',
    path: '/content/bulk-retry',
    summary: 'Retry many posts',
    body: Ids,
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_retry',
  }),
  bulkLabel: endpoint({
    ...write,
    id: 'content.bulkLabel',
    method: 'POST',
    path: '/content/bulk-label',
    summary: 'Add labels to many posts, or take them away, in whatever state the posts are',
    body: StrictObject({
      ids,
      add: Type.Optional(PostLabels),
      remove: Type.Optional(
        Type.Unsafe<string[]>({ ...PostLabels, description: 'Labels to take away, by id; taken away before others are added' }),
      ),
    }),
    returns: BulkResult,
    errors: [],
    audit: 'post.bulk_label',
  }),
  bulkReschedule: endpoint({
    ...release,
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
