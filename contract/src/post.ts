import { Type, type Static, type TSchema } from 'typebox'
import { changedExternalFields, externalFields } from './external-id.ts'
import { PostLabels, shownLabels } from './planning/labels.ts'
import { shownSeries } from './planning/shown-series.ts'
import { contentFormats } from './manifest.ts'
import { QueueName } from './queues.ts'
import { StrictObject, Nullable, ObjectId, Timestamp, Uuid, WebUrl } from './primitives.ts'

export const postTypes = ['text', 'photo', 'video', 'document'] as const
export type PostType = (typeof postTypes)[number]

export const postStatuses = ['draft', 'scheduled', 'queued', 'publishing', 'completed', 'partial_failure', 'failed'] as const
export type PostStatus = (typeof postStatuses)[number]

export const channelStatuses = ['pending', 'publishing', 'success', 'failed', 'unconfirmed', 'canceled'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

const textMax = 25_000
const Text = Type.String({ minLength: 1, maxLength: textMax })
const Title = Type.String({ maxLength: 500, description: 'For platforms that have titles' })
const LinkUrl = Type.String({ ...WebUrl, description: 'A link to attach' })
const FirstComment = Type.Union([StrictObject({ text: Text }), Text], {
  description: 'A comment that is added below the post after it is published',
})
/** How many posts may follow the first of a thread. */
export const threadMax = 24
const Thread = Type.Array(StrictObject({ text: Text }), {
  minItems: 1,
  maxItems: threadMax,
  description: 'Further posts that follow the first as a thread, each an answer to the one before it',
})
const SplitLongText = Type.Enum(['plain', 'numbered'], {
  description:
    'Makes a thread of a text that is too long for an account, where its platform has threads: cut between paragraphs, sentences or words, with ' +
    'or without numbers such as 2/5. The result is in `platformOptions` of the account, and follows later changes of the common text',
})
export type SplitLongText = Static<typeof SplitLongText>
const AiGenerated = Type.Boolean({
  description:
    'Labels the post as made with AI on the platforms that have such a label (`aiLabel` in `GET /platforms`); the others have a warning. A setting ' +
    'of the platform for the same in `platformOptions` counts more',
})
const Format = Type.Enum([...contentFormats])
const Slugs = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'The accounts to publish to, by slug: 1 to 50. Only a draft may have none',
})

/** The id of a file in the media library, or the URL of a file that is fetched into it. */
const MediaEntry = Type.String({
  pattern: '^([0-9a-f]{24}|https?://[^\\s]+)$',
  format: 'media-entry',
  maxLength: 2048,
  'x-message': 'Must be the id of a file in the media library, or an address that starts with http:// or https://.',
})
const MediaOptions = Type.Array(StrictObject({ alt: Type.Optional(Type.String({ maxLength: 5000 })) }), {
  maxItems: 20,
  description: 'The options of each file, in the order of `medias`',
})
const photosMax = 20
const description = 'Files, by their id in the media library or by a URL from which they are fetched. Only a draft may have none'
const Photos = Type.Array(MediaEntry, { maxItems: photosMax, description })
const OneFile = Type.Array(MediaEntry, { maxItems: 1, description })

/**
 * Overrides of the common fields for one connection, and settings that only its platform has. Null leaves a common field out for this
 * connection.
 */
export const ConnectionOptions = Type.Object(
  {
    text: Type.Optional(Nullable(Text)),
    title: Type.Optional(Nullable(Title)),
    firstComment: Type.Optional(Nullable(FirstComment)),
    thread: Type.Optional(Nullable(Thread)),
    linkUrl: Type.Optional(Nullable(LinkUrl)),
    contentFormat: Type.Optional(Format),
    splitLongText: Type.Optional(SplitLongText),
    medias: Type.Optional(Type.Array(MediaEntry, { minItems: 1, maxItems: photosMax })),
    mediaOptions: Type.Optional(
      Type.Array(StrictObject({ alt: Type.Optional(Type.String({ maxLength: 5000 })) }), {
        maxItems: photosMax,
        description: 'The options of each file for this connection: of its own `medias`, or else of the common ones',
      }),
    ),
  },
  { additionalProperties: true },
)
export type ConnectionOptions = Static<typeof ConnectionOptions>

const PlatformOptions = Type.Record(Type.String(), ConnectionOptions, {
  description: 'By slug: overrides of the common fields for that connection, and settings of its platform',
})

const commonFields = {
  text: Type.Optional(
    Type.String({
      maxLength: textMax,
      description:
        'The text for all connections that have none in `platformOptions`: 1 to 25000 characters. A draft may be empty',
    }),
  ),
  title: Type.Optional(Title),
  firstComment: Type.Optional(FirstComment),
  thread: Type.Optional(Thread),
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
  splitLongText: Type.Optional(SplitLongText),
  aiGenerated: Type.Optional(AiGenerated),
  ...externalFields,
}

const newPost = {
  connections: Slugs,
  ...commonFields,
  labels: Type.Optional(PostLabels),
  queue: Type.Optional(
    Type.Unsafe<string>({
      ...QueueName,
      description:
        'Instead of `scheduledAt` and `timezone`: the post gets the next free slot of this queue, by id, or of the oldest with `default`. Not for a draft',
    }),
  ),
  saveDraft: Type.Optional(Type.Boolean({ description: 'Save the post as a draft and publish nothing' })),
  submit: Type.Optional(
    Type.Boolean({
      description:
        'Submit the post for approval instead of publishing it: it is checked like one that is published, and waits as a draft until another ' +
        'person approves it. It is then published at `scheduledAt`, or at once. Its files are fetched before the response, also with `async`',
    }),
  ),
  async: Type.Optional(
    Type.Boolean({ description: 'Respond at once with the requestId; poll the result with `GET /content/status`' }),
  ),
}

/** A draft may be unfinished. Every other post has at least one connection, no empty text, and its files. */
function NewPostSchema<Properties extends Record<string, TSchema>>(properties: Properties) {
  const hasFiles = 'medias' in properties
  return Type.Object(properties, {
    additionalProperties: false,
    if: { required: ['saveDraft'], properties: { saveDraft: { const: true } } },
    else: {
      ...(hasFiles && { required: ['medias'] }),
      properties: { connections: { minItems: 1 }, text: { minLength: 1 }, ...(hasFiles && { medias: { minItems: 1 } }) },
    },
  })
}

const mediaOptions = Type.Optional(MediaOptions)

export const NewTextPost = NewPostSchema(newPost)
export type NewTextPost = Static<typeof NewTextPost>

export const NewPhotosPost = NewPostSchema({ ...newPost, medias: Type.Optional(Photos), mediaOptions })
export const NewVideoPost = NewPostSchema({ ...newPost, medias: Type.Optional(OneFile), mediaOptions })
export const NewDocumentPost = NewPostSchema({ ...newPost, medias: Type.Optional(OneFile), mediaOptions })
/** A new post of any type. A text post has no files. */
export type NewPost = NewTextPost & { medias?: string[]; mediaOptions?: Static<typeof MediaOptions> }

const File = Type.String({ description: 'The content of a file', contentMediaType: 'application/octet-stream' })

/**
 * A new post as multipart/form-data, which can contain files. Lists are repeated parts, with or without `[]` after the name; objects are
 * JSON. The server checks the fields by the JSON schema after it has read the files.
 */
function PostForm(filesMax: number) {
  const medias = Type.Array(Type.Union([File, MediaEntry]), {
    maxItems: filesMax,
    description: 'Repeated parts `medias[]`: files, ids in the media library, or URLs',
  })
  return StrictObject({ ...newPost, medias: Type.Optional(medias), mediaOptions })
}

export const PhotosForm = PostForm(photosMax)
export const OneFileForm = PostForm(1)

/** Accepted wherever a create accepts it, so that the same body can be sent; it changes nothing there. */
const Ignored = Type.Optional(Type.Boolean({ description: 'Accepted as in a create; changes nothing here' }))

/** Null clears an optional field. An absent field stays unchanged. The draft may be unfinished afterwards. */
export const PostChange = StrictObject({
  type: Type.Optional(Type.Enum([...postTypes], { description: 'Makes a post of another type of the draft' })),
  connections: Type.Optional(Slugs),
  text: Type.Optional(Nullable(Type.String({ maxLength: textMax }))),
  title: Type.Optional(Nullable(Title)),
  firstComment: Type.Optional(Nullable(FirstComment)),
  thread: Type.Optional(Nullable(Thread)),
  linkUrl: Type.Optional(Nullable(LinkUrl)),
  scheduledAt: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  timezone: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  contentFormat: Type.Optional(Nullable(Format)),
  platformOptions: Type.Optional(Nullable(PlatformOptions)),
  splitLongText: Type.Optional(SplitLongText),
  aiGenerated: Type.Optional(Nullable(AiGenerated)),
  medias: Type.Optional(Photos),
  mediaOptions,
  labels: Type.Optional(Nullable(PostLabels)),
  ...changedExternalFields,
  keepSchedule: Type.Optional(
    Type.Boolean({
      description:
        'Changes a scheduled post in place: it is checked like a new post and stays scheduled. Refused once one of its channels is being sent',
    }),
  ),
  saveDraft: Ignored,
  async: Ignored,
})
export type PostChange = Static<typeof PostChange>

/** A post that may be unfinished: the verdict names what is missing. */
export const PostToValidate = StrictObject({
  type: Type.Enum([...postTypes]),
  connections: Slugs,
  ...commonFields,
  medias: Type.Optional(Photos),
  mediaOptions,
  labels: Type.Optional(Type.Unsafe<string[]>({ ...PostLabels, description: 'Accepted as in a create; changes nothing here' })),
  queue: Type.Optional(Type.Unsafe<string>({ ...QueueName, description: 'Accepted as in a create; changes nothing here' })),
  saveDraft: Ignored,
  submit: Ignored,
  async: Ignored,
})

const waitingReasons = ['rate_limit', 'reconnect', 'platform_unavailable', 'finish_in_app'] as const

/** Why a pending channel has not been sent yet, or whom one that was sent waits for. */
const Waiting = StrictObject({
  reason: Type.Enum([...waitingReasons], {
    description:
      'rate_limit: a limit of the platform is used up; reconnect: the account must be connected again; platform_unavailable: the ' +
      'platform cannot be reached or does not work; finish_in_app: a person has to finish the post in the app of the platform',
  }),
  until: Type.Union([Timestamp, Type.Null()], {
    description:
      'The next attempt; null for `reconnect`, because that depends on when the account is connected again; for `finish_in_app` the end of the ' +
      'time in which the person can do it',
  }),
})

/** Both are missing where nothing more is known than the code. */
const explanation = {
  reason: Type.Optional(Type.String({ description: 'Why, more precisely than `code`: one of FailureReason' })),
  platformMessage: Type.Optional(Type.String({ description: 'The platform’s own words, in the language it chose' })),
}

export const ChannelError = StrictObject({
  code: Type.String(),
  message: Type.String(),
  action: Type.String(),
  retryable: Type.Boolean(),
  platformCode: Nullable(Type.String()),
  ...explanation,
})
export type ChannelError = Static<typeof ChannelError>

/** What became of one post of a thread. */
const ThreadPart = StrictObject({
  status: Type.Enum([...channelStatuses]),
  postUrl: Nullable(Type.String()),
  postId: Nullable(Type.String()),
  publishedAt: Nullable(Timestamp),
  error: Nullable(ChannelError),
})
export type ThreadPart = Static<typeof ThreadPart>

const TaggedLinks = Type.Array(Type.String(), {
  description: 'The links to which the rule of the workspace adds parameters, as they are sent; absent if there are none',
})

export const Channel = StrictObject({
  id: ObjectId,
  platform: Type.String(),
  connectionId: ObjectId,
  connection: Type.String(),
  targetName: Type.String(),
  links: Type.Optional(TaggedLinks),
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
    comment: Type.Optional(
      Type.Enum(['waiting', 'posted', 'failed'], {
        description: 'The first comment; missing if there is none. A failed one has a warning',
      }),
    ),
    parts: Type.Optional(
      Type.Array(ThreadPart, {
        description:
          'The posts of a thread in their order; missing if it is one post. `postUrl` and `postId` above are those of the first. The status ' +
          'above is that of the first part that is not published',
      }),
    ),
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
  pages: Nullable(Type.Integer({ description: 'Of a document' })),
  alt: Type.String(),
})
export type MediaRef = Static<typeof MediaRef>

/** A finding about a field. `code` and `params` let a client write its own sentence, for example in another language. */
export const Detail = StrictObject({
  path: Type.String({ description: 'The field, for example `connections[0].text`' }),
  code: Type.String({ description: 'What is wrong, for example `text_too_long`' }),
  message: Type.String({ description: 'A sentence that can be shown to the user' }),
  params: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The values of the sentence, for example `limit`, `actual` and `unit`',
  }),
})
export type Detail = Static<typeof Detail>

export const Issue = StrictObject({
  ...Detail.properties,
  blocking: Type.Boolean({ description: 'true: publishing is refused until this is fixed; false: only a warning' }),
})
export type Issue = Static<typeof Issue>

/** Who created a post, as the audit log knows it. Only the answer about one post has it; null if the audit log no longer does. */
const PostCreator = StrictObject({
  userId: Nullable(Type.String()),
  name: Nullable(Type.String({ description: 'The name of the user; null if the account no longer exists' })),
  apiKeyId: Nullable(Uuid),
})

export const approvalStates = ['none', 'pending', 'approved', 'changes_requested'] as const
export type ApprovalState = (typeof approvalStates)[number]
const approvalActions = ['submitted', 'approved', 'changes_requested', 'withdrawn', 'ended'] as const
export type ApprovalAction = (typeof approvalActions)[number]

const Client = StrictObject({
  name: Type.String({ description: 'As the person gave it, without proof' }),
  linkId: ObjectId,
})

const decisionFields = {
  by: PostCreator,
  client: Type.Optional(
    Type.Unsafe<Static<typeof Client>>({
      ...Client,
      description:
        'The person without an account who decided by a link; `by` has made the link. Missing if a member or a program decided',
    }),
  ),
  at: Timestamp,
  comment: Nullable(Type.String()),
}

const ApprovalDecision = StrictObject({
  action: Type.Enum([...approvalActions], {
    description: 'ended: the post was changed, or published without an approval, after it was submitted or approved',
  }),
  ...decisionFields,
  revision: Nullable(Type.String({ description: 'What was submitted or approved' })),
  dueAt: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'The time that was wished for, null if as soon as possible; of an approval the time it was released for',
    }),
  ),
})

/** What a program gives to its person, who decides there. */
export const SubmissionLink = StrictObject({
  url: Type.String({
    description:
      'A page that shows what each account would publish, and when. An approver who is signed in decides there; it decides nothing for anybody else. ' +
      'It ends with the next submission',
  }),
  expiresAt: Timestamp,
})
export type SubmissionLink = Static<typeof SubmissionLink>

/** On its way to be approved. `by`, `at` and `comment` are those of the newest decision; they and `history` are only in the answer about one post. */
export const Approval = StrictObject({
  state: Type.Enum([...approvalStates], { description: 'none: it was submitted once, and does not wait any more' }),
  link: Type.Optional(
    Type.Unsafe<SubmissionLink>({ ...SubmissionLink, description: 'Only in the response to a program that submits the post' }),
  ),
  revision: Nullable(
    Type.String({
      description: 'A hash of what was submitted: texts, settings, files, accounts and time. Whoever approves names it',
    }),
  ),
  by: Type.Optional(PostCreator),
  client: decisionFields.client,
  at: Type.Optional(Timestamp),
  comment: Type.Optional(Nullable(Type.String())),
  history: Type.Optional(Type.Array(ApprovalDecision, { description: 'What was decided, oldest first: the newest 100' })),
})
export type Approval = Static<typeof Approval>

export const Post = StrictObject({
  uploadId: ObjectId,
  requestId: Uuid,
  status: Type.Enum([...postStatuses]),
  type: Type.Enum([...postTypes]),
  contentFormat: Nullable(Type.String()),
  title: Nullable(Type.String()),
  text: Nullable(Type.String()),
  firstComment: Nullable(StrictObject({ text: Type.String() })),
  thread: Type.Optional(Type.Array(StrictObject({ text: Type.String() }), { description: 'Missing if the post is no thread' })),
  linkUrl: Nullable(Type.String()),
  aiGenerated: Type.Optional(Type.Literal(true, { description: 'Missing if the post is not labelled as made with AI' })),
  medias: Type.Array(MediaRef),
  channels: Type.Array(Channel),
  platformOptions: PlatformOptions,
  scheduledAt: Nullable(Timestamp),
  timezone: Nullable(Type.String()),
  publishedAt: Nullable(Timestamp),
  archived: Type.Boolean(),
  archivedAt: Nullable(Timestamp),
  warnings: Type.Array(Type.String()),
  issues: Type.Array(Issue, {
    description: 'What the checks of a draft found, with codes; empty for other posts. The sentences are also in `warnings`',
  }),
  createdBy: Type.Optional(Nullable(PostCreator)),
  approval: Type.Optional(
    Type.Unsafe<Approval>({ ...Approval, description: 'Missing if the post was never submitted for approval' }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  ...shownLabels,
  ...shownSeries,
  ...externalFields,
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
  StrictObject({
    success: Type.Literal(true),
    requestId: Uuid,
    uploadId: ObjectId,
    usage: Usage,
    scheduledAt: Type.Optional(
      Type.Unsafe<string>({ ...Timestamp, description: 'The slot that a queue gave; missing without `queue`' }),
    ),
  }),
  StrictObject({
    success: Type.Literal(true),
    requestId: Uuid,
    usage: Usage,
    message: Type.String(),
    scheduledAt: Nullable(Timestamp),
    totalChannels: Type.Integer(),
  }),
  StrictObject({
    success: Type.Literal(true),
    draftId: ObjectId,
    approvalUrl: Type.Optional(
      Type.String({
        description: 'With `submit`: the page where an approver of the workspace decides. It is no secret; they sign in',
      }),
    ),
    approvalLink: Type.Optional(SubmissionLink),
  }),
])
export type Accepted = Static<typeof Accepted>

export const Verdict = StrictObject({
  valid: Type.Boolean(),
  issues: Type.Array(Issue, { description: 'Everything that was found, for the whole post and for each connection' }),
  connections: Type.Array(
    StrictObject({
      connection: Type.String(),
      platform: Nullable(Type.String()),
      valid: Type.Boolean(),
      violations: Type.Array(Detail),
      warnings: Type.Array(Type.String()),
      links: Type.Optional(TaggedLinks),
    }),
  ),
})
export type Verdict = Static<typeof Verdict>

export const timelineStages = ['queued', 'staged', 'sent', 'confirmed', 'failed', 'unconfirmed', 'resolved'] as const
export type TimelineStage = (typeof timelineStages)[number]

/** One thing that happened to a channel. */
export const TimelineEntry = StrictObject({
  channelId: ObjectId,
  at: Timestamp,
  stage: Type.Enum([...timelineStages], {
    description:
      'queued: it waits for its time; staged: its files are on the platform; sent: the last attempt began; confirmed: the platform published ' +
      'it; failed: an attempt failed, and is repeated if `retryAt` is set; unconfirmed: the platform’s response was lost; resolved: a person ' +
      'set the outcome, which is in `code`',
  }),
  attempt: Type.Integer({ description: 'How many attempts had begun; 0 before the first' }),
  code: Nullable(Type.String()),
  platformCode: Nullable(Type.String()),
  message: Nullable(Type.String()),
  ...explanation,
  retryAt: Nullable(Timestamp),
})
export type TimelineEntry = Static<typeof TimelineEntry>
