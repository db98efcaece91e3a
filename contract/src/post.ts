import { Type, type Static } from 'typebox'
import { contentFormats } from './manifest.ts'
import { StrictObject, Nullable, ObjectId, Timestamp, Uuid } from './primitives.ts'

export const postTypes = ['text', 'photo', 'video', 'document'] as const
export type PostType = (typeof postTypes)[number]

export const postStatuses = ['draft', 'scheduled', 'queued', 'publishing', 'completed', 'partial_failure', 'failed'] as const
export type PostStatus = (typeof postStatuses)[number]

export const channelStatuses = ['pending', 'publishing', 'success', 'failed', 'unconfirmed', 'canceled'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

const Text = Type.String({ minLength: 1, maxLength: 25_000 })
const Title = Type.String({ maxLength: 500, description: 'For platforms that have titles' })
const LinkUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048, description: 'A link to attach' })
const FirstComment = Type.Union([StrictObject({ text: Text }), Text], {
  description: 'A comment that is added below the post after it is published',
})
const Format = Type.Enum([...contentFormats])
const Slugs = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'The accounts to publish to, by slug',
})

/** The id of a file in the media library, or the URL of a file that is fetched into it. */
const MediaEntry = Type.String({ pattern: '^([0-9a-f]{24}|https?://[^\\s]+)$', maxLength: 2048 })
const MediaOptions = Type.Array(StrictObject({ alt: Type.Optional(Type.String({ maxLength: 5000 })) }), {
  maxItems: 20,
  description: 'The options of each file, in the order of `medias`',
})
const description = 'Files, by their id in the media library or by a URL from which they are fetched'
const Photos = Type.Array(MediaEntry, { minItems: 1, maxItems: 20, description })
const OneFile = Type.Array(MediaEntry, { minItems: 1, maxItems: 1, description })

/** Overrides of the common fields for one connection, and settings that only its platform has. */
export const ConnectionOptions = Type.Object(
  {
    text: Type.Optional(Text),
    title: Type.Optional(Title),
    firstComment: Type.Optional(FirstComment),
    linkUrl: Type.Optional(LinkUrl),
    contentFormat: Type.Optional(Format),
    medias: Type.Optional(Photos),
  },
  { additionalProperties: true },
)
export type ConnectionOptions = Static<typeof ConnectionOptions>

const PlatformOptions = Type.Record(Type.String(), ConnectionOptions, {
  description: 'By slug: overrides of the common fields for that connection, and settings of its platform',
})

const commonFields = {
  text: Type.Optional(Type.String({ ...Text, description: 'The text for all connections that have none in `platformOptions`' })),
  title: Type.Optional(Title),
  firstComment: Type.Optional(FirstComment),
  linkUrl: Type.Optional(LinkUrl),
  scheduledAt: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'ISO-8601; without an offset it is a wall-clock time in `timezone`',
    }),
  ),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone' })),
  contentFormat: Type.Optional(Format),
  platformOptions: Type.Optional(PlatformOptions),
}

const newPost = {
  connections: Slugs,
  ...commonFields,
  saveDraft: Type.Optional(Type.Boolean({ description: 'Save the post as a draft and publish nothing' })),
  async: Type.Optional(
    Type.Boolean({ description: 'Respond at once with the requestId; poll the result with `GET /content/status`' }),
  ),
}

export const NewTextPost = StrictObject(newPost)
export type NewTextPost = Static<typeof NewTextPost>

export const NewPhotosPost = StrictObject({ ...newPost, medias: Photos, mediaOptions: Type.Optional(MediaOptions) })
export const NewVideoPost = StrictObject({ ...newPost, medias: OneFile, mediaOptions: Type.Optional(MediaOptions) })
export const NewDocumentPost = StrictObject({ ...newPost, medias: OneFile, mediaOptions: Type.Optional(MediaOptions) })
/** A new post of any type. A text post has no files. */
export type NewPost = NewTextPost & { medias?: string[]; mediaOptions?: Static<typeof MediaOptions> }

/** Null clears an optional field. An absent field stays unchanged. */
export const PostChange = StrictObject({
  connections: Type.Optional(Slugs),
  text: Type.Optional(Nullable(Text)),
  title: Type.Optional(Nullable(Title)),
  firstComment: Type.Optional(Nullable(FirstComment)),
  linkUrl: Type.Optional(Nullable(LinkUrl)),
  scheduledAt: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  timezone: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  contentFormat: Type.Optional(Nullable(Format)),
  platformOptions: Type.Optional(Nullable(PlatformOptions)),
  medias: Type.Optional(Photos),
  mediaOptions: Type.Optional(MediaOptions),
})
export type PostChange = Static<typeof PostChange>

export const PostToValidate = StrictObject({
  type: Type.Enum([...postTypes]),
  connections: Slugs,
  ...commonFields,
  medias: Type.Optional(Photos),
  mediaOptions: Type.Optional(MediaOptions),
})

const waitingReasons = ['rate_limit', 'reconnect', 'platform_unavailable'] as const

/** Why a pending channel has not been sent yet. */
const Waiting = StrictObject({
  reason: Type.Enum([...waitingReasons], {
    description:
      'rate_limit: a limit of the platform is used up; reconnect: the account must be connected again; platform_unavailable: the ' +
      'platform cannot be reached or does not work',
  }),
  until: Type.Union([Timestamp, Type.Null()], {
    description: 'The next attempt; null for `reconnect`, because that depends on when the account is connected again',
  }),
})

export const ChannelError = StrictObject({
  code: Type.String(),
  message: Type.String(),
  action: Type.String(),
  retryable: Type.Boolean(),
  platformCode: Nullable(Type.String()),
})
export type ChannelError = Static<typeof ChannelError>

export const Channel = StrictObject({
  id: ObjectId,
  platform: Type.String(),
  connectionId: ObjectId,
  connection: Type.String(),
  targetName: Type.String(),
  result: StrictObject({
    status: Type.Enum([...channelStatuses]),
    postUrl: Nullable(Type.String()),
    postId: Nullable(Type.String()),
    publishedAt: Nullable(Timestamp),
    error: Nullable(ChannelError),
    warnings: Type.Array(Type.String()),
    attempts: Type.Integer(),
    late: Nullable(StrictObject({ delayMs: Type.Integer() })),
    waiting: Nullable(Waiting),
  }),
})
export type Channel = Static<typeof Channel>

/** A file of a post. `id` is null until a remote file has been fetched. */
export const MediaRef = StrictObject({
  id: Nullable(ObjectId),
  name: Nullable(Type.String()),
  type: Nullable(Type.Enum(['image', 'video', 'document'])),
  mimeType: Nullable(Type.String()),
  url: Type.String({ description: 'A signed URL that is valid for one hour; the remote URL until the file has been fetched' }),
  thumbnailUrl: Nullable(Type.String()),
  alt: Type.String(),
})
export type MediaRef = Static<typeof MediaRef>

export const Post = StrictObject({
  uploadId: ObjectId,
  requestId: Uuid,
  status: Type.Enum([...postStatuses]),
  type: Type.Enum([...postTypes]),
  contentFormat: Nullable(Type.String()),
  title: Nullable(Type.String()),
  text: Nullable(Type.String()),
  firstComment: Nullable(StrictObject({ text: Type.String() })),
  linkUrl: Nullable(Type.String()),
  medias: Type.Array(MediaRef),
  channels: Type.Array(Channel),
  platformOptions: PlatformOptions,
  scheduledAt: Nullable(Timestamp),
  timezone: Nullable(Type.String()),
  publishedAt: Nullable(Timestamp),
  archived: Type.Boolean(),
  archivedAt: Nullable(Timestamp),
  warnings: Type.Array(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Post = Static<typeof Post>

export const PostStatusView = StrictObject({
  requestId: Uuid,
  uploadId: ObjectId,
  status: Type.Enum([...postStatuses]),
  type: Type.Enum([...postTypes]),
  channels: Type.Array(Channel),
  createdAt: Timestamp,
})

export const Usage = StrictObject({ count: Type.Integer(), limit: Type.Integer(), remaining: Type.Integer() })
export type Usage = Static<typeof Usage>

/** The response to a create: synchronous, asynchronous or draft. */
export const Accepted = Type.Union([
  StrictObject({ success: Type.Literal(true), requestId: Uuid, uploadId: ObjectId, usage: Usage }),
  StrictObject({
    success: Type.Literal(true),
    requestId: Uuid,
    usage: Usage,
    message: Type.String(),
    scheduledAt: Nullable(Timestamp),
    totalChannels: Type.Integer(),
  }),
  StrictObject({ success: Type.Literal(true), draftId: ObjectId }),
])
export type Accepted = Static<typeof Accepted>

export const Verdict = StrictObject({
  valid: Type.Boolean(),
  connections: Type.Array(
    StrictObject({
      connection: Type.String(),
      platform: Nullable(Type.String()),
      valid: Type.Boolean(),
      violations: Type.Array(StrictObject({ path: Type.String(), message: Type.String() })),
      warnings: Type.Array(Type.String()),
    }),
  ),
})
export type Verdict = Static<typeof Verdict>
