import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { ConnectionOptions, postTypes, threadMax } from '../post.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp, WebUrl } from '../primitives.ts'
import { weekdays } from '../queues.ts'

/** At most this many series in a workspace. */
export const seriesMax = 100
export const seriesCountMax = 366
const seriesVariantsMax = 20
/** So many dates of a series are posts beforehand. */
export const seriesAhead = 2

const seriesUnits = ['day', 'week', 'month'] as const
const seriesStates = ['active', 'paused', 'ended'] as const
export type SeriesState = (typeof seriesStates)[number]
const occurrenceStates = ['scheduled', 'made', 'skipped', 'refused', 'missed', 'removed'] as const
export type OccurrenceState = (typeof occurrenceStates)[number]

const Day = Type.String({ format: 'date', 'x-message': 'Must be a day such as 2027-03-01.' })
const Weekday = Type.Enum([...weekdays])

const On = Type.Union(
  [
    Type.Array(Weekday, { minItems: 1, maxItems: 7, uniqueItems: true }),
    Type.Integer({ minimum: 1, maximum: 31 }),
    Type.Literal('last'),
    StrictObject({ nth: Type.Union([Type.Integer({ minimum: 1, maximum: 4 }), Type.Literal('last')]), weekday: Weekday }),
  ],
  {
    description:
      'The days: of a week a list of weekdays; of a month its day (in a shorter month the last one), `last`, or `{nth, weekday}`. Absent for days, ' +
      'and otherwise the day of `from`',
    'x-message': 'Must be a list of weekdays, a day of the month, "last", or an object with nth and weekday.',
  },
)

const ruleFields = {
  every: Type.Integer({ minimum: 1, maximum: 365, description: 'Every so many units' }),
  unit: Type.Enum([...seriesUnits]),
  on: Type.Optional(On),
  time: Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    maxLength: 5,
    examples: ['09:00'],
    description: 'The wall-clock time, with 24 hours',
    'x-message': 'Must be a time of day such as 09:00.',
  }),
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone, such as Europe/Berlin' }),
  from: Type.Unsafe<string>({ ...Day, description: 'No date is before this day, and weeks and months are counted from it' }),
  until: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'The last day that may be a date. Not with `count`' })),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: seriesCountMax,
      description: 'So many dates, with those that are skipped. Not with `until`',
    }),
  ),
}
/** When a series has its dates. Without `until` and `count`, it has no end. */
export const SeriesRule = StrictObject(ruleFields)
export type SeriesRule = Static<typeof SeriesRule>

const Comment = StrictObject({ text: Type.String({ minLength: 1, maxLength: 25_000 }) })
const Medias = Type.Array(
  Type.String({
    pattern: '^[0-9a-f]{24}$',
    maxLength: 24,
    'x-message': 'Must be the id of a file in the media library.',
  }),
  { minItems: 1, maxItems: 20, description: 'Files of the media library, by id' },
)
const parts = {
  text: Type.Optional(Type.String({ maxLength: 25_000 })),
  title: Type.Optional(Type.String({ maxLength: 500 })),
  firstComment: Type.Optional(Comment),
  thread: Type.Optional(Type.Array(Comment, { minItems: 1, maxItems: threadMax })),
  linkUrl: Type.Optional(Type.String({ ...WebUrl })),
  medias: Type.Optional(Medias),
  mediaOptions: Type.Optional(
    Type.Array(StrictObject({ alt: Type.Optional(Type.String({ maxLength: 5000 })) }), { maxItems: 20 }),
  ),
  platformOptions: Type.Optional(Type.Record(Type.String(), ConnectionOptions)),
}

/** What each post of a series says: the fields of a new post. */
export const SeriesContent = StrictObject({
  type: Type.Enum([...postTypes]),
  connections: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
  ...parts,
  contentFormat: Type.Optional(Type.String({ maxLength: 40 })),
  splitLongText: Type.Optional(Type.Enum(['plain', 'numbered'])),
  aiGenerated: Type.Optional(Type.Boolean()),
  labels: Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9a-f]{24}$', maxLength: 24, 'x-message': 'Must be the id of a label.' }), {
      maxItems: 10,
      uniqueItems: true,
    }),
  ),
})
export type SeriesContent = Static<typeof SeriesContent>

/** Takes the place of these fields of the content. */
export const SeriesVariant = StrictObject(parts)
export type SeriesVariant = Static<typeof SeriesVariant>

const Variants = Type.Array(SeriesVariant, {
  maxItems: seriesVariantsMax,
  description:
    'The posts take turns: the first has the first variant. Each takes the place of the fields of `content` that it has',
})
const Name = Type.String({ minLength: 1, maxLength: 100 })

const PlannedDate = {
  date: Day,
  wall: Type.String({ description: 'The wall-clock time that was asked for' }),
  at: Type.Unsafe<string>({
    ...Timestamp,
    description: 'The instant: after a gap if the clock skips the time, the first if the clock has it twice',
  }),
}
export const SeriesDate = StrictObject(PlannedDate)
export type SeriesDate = Static<typeof SeriesDate>

export const Occurrence = StrictObject({
  date: Day,
  at: Timestamp,
  state: Type.Enum([...occurrenceStates], {
    description:
      'scheduled: it comes, and is no post yet; made: it is the post `uploadId`; skipped: by a person; refused: the post could not be made, which is ' +
      'tried again until its time; missed: its time passed while the series was paused or the service was down; removed: its post was deleted',
  }),
  uploadId: Nullable(ObjectId),
  edited: Type.Optional(
    Type.Boolean({
      description:
        'Its post was changed by itself, so changes of the series leave it alone. Only in the response about one series, for posts that come',
    }),
  ),
  error: Nullable(StrictObject({ code: Type.String(), message: Type.String() })),
})
export type Occurrence = Static<typeof Occurrence>

export const Series = StrictObject({
  id: ObjectId,
  name: Type.String(),
  ...ruleFields,
  content: SeriesContent,
  variants: Type.Array(SeriesVariant),
  state: Type.Enum([...seriesStates]),
  approval: Type.Enum(['none', 'pending', 'approved'], {
    description:
      'pending: nothing is made until another person approves it; approved: that covers its posts while they are not changed',
  }),
  revision: Nullable(
    Type.String({ description: 'A hash of what waits for approval, or was approved. Whoever approves names it' }),
  ),
  next: Nullable(
    Type.Unsafe<string>({ ...Timestamp, description: 'The time of the next date that is not skipped; null if none comes' }),
  ),
  occurrences: Type.Array(Occurrence, { description: 'The latest dates that passed and the next ones, by time' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Series = Static<typeof Series>

const read = { scope: 'content:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const write = { scope: 'content:write', role: 'editor', workspace: 'header', ok: 200 } as const

/** What making a post may be refused for. */
const makeErrors = [
  'post_invalid',
  'connection_unknown',
  'connection_needs_reconnect',
  'plan_limit_reached',
  'media_not_found',
  'connection_not_allowed',
  'hours_not_allowed',
  'duplicate_refused',
  'key_limit_reached',
] as const

const Kept = Type.Enum(['keep', 'remove'], {
  description:
    'What becomes of its scheduled posts: keep leaves them scheduled, remove deletes them. Posts that are being published go on. Default: keep',
})

export const series = {
  list: endpoint({
    ...read,
    id: 'series.list',
    method: 'GET',
    path: '/series',
    summary: 'List series, newest first',
    returns: Type.Array(Series),
    errors: [],
  }),
  create: endpoint({
    ...write,
    id: 'series.create',
    method: 'POST',
    path: '/series',
    summary: 'Create a series of posts; its first posts are scheduled',
    body: StrictObject({ name: Name, ...ruleFields, content: SeriesContent, variants: Type.Optional(Variants) }),
    returns: Series,
    ok: 201,
    errors: ['quota_reached', ...makeErrors],
    audit: 'series.create',
  }),
  preview: endpoint({
    ...read,
    id: 'series.preview',
    method: 'POST',
    path: '/series/preview',
    summary: 'The next dates of a rule, without storing it',
    body: StrictObject({
      ...ruleFields,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: seriesCountMax, default: 10 })),
    }),
    returns: StrictObject({
      dates: Type.Array(SeriesDate),
      total: Nullable(Type.Integer({ description: 'How many dates come; null if the series has no end or more than 366' })),
    }),
    errors: [],
  }),
  get: endpoint({
    ...read,
    id: 'series.get',
    method: 'GET',
    path: '/series/:id',
    summary: 'Get a series',
    params: IdParam,
    returns: Series,
    errors: ['series_not_found'],
  }),
  update: endpoint({
    ...write,
    id: 'series.update',
    method: 'PATCH',
    path: '/series/:id',
    summary: 'Change, pause, resume or end a series',
    params: IdParam,
    body: StrictObject({
      name: Type.Optional(Name),
      every: Type.Optional(ruleFields.every),
      unit: Type.Optional(ruleFields.unit),
      on: Type.Optional(Nullable(On)),
      time: Type.Optional(ruleFields.time),
      timezone: Type.Optional(ruleFields.timezone),
      from: Type.Optional(ruleFields.from),
      until: Type.Optional(Nullable(Day)),
      count: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: seriesCountMax }))),
      content: Type.Optional(SeriesContent),
      variants: Type.Optional(Variants),
      state: Type.Optional(
        Type.Enum([...seriesStates], {
          description:
            'paused: its unchanged scheduled posts are taken back, and the others become drafts; active: it goes on with the next date; ended: no ' +
            'further post is made, and the series cannot go on',
        }),
      ),
      posts: Type.Optional(Kept),
      apply: Type.Optional(
        Type.Enum(['new', 'unedited'], {
          description:
            'new: posts that are scheduled already stay as they are; unedited: those that nobody changed are made again. Refused as a whole ' +
            'if one of them is being published. Default: new',
        }),
      ),
    }),
    returns: Series,
    errors: ['series_not_found', 'series_ended', 'already_publishing', ...makeErrors],
    audit: 'series.update',
  }),
  skip: endpoint({
    ...write,
    id: 'series.skip',
    method: 'POST',
    path: '/series/:id/skip',
    summary: 'Skip one date of a series; its post is deleted if it is scheduled',
    params: IdParam,
    body: StrictObject({ date: Day }),
    returns: Series,
    errors: ['series_not_found', 'series_ended', 'already_publishing', 'connection_not_allowed'],
    audit: 'series.skip',
  }),
  approve: endpoint({
    scope: 'content:approve',
    role: 'admin',
    workspace: 'header',
    ok: 200,
    id: 'series.approve',
    method: 'POST',
    path: '/series/:id/approve',
    summary: 'Approve a series, which schedules its next posts',
    params: IdParam,
    body: StrictObject({
      revision: Type.String({ minLength: 1, maxLength: 64, description: '`revision` of the series that you looked at' }),
    }),
    returns: Series,
    errors: ['series_not_found', 'not_submitted', 'approval_own', 'approval_changed'],
    audit: 'series.approve',
  }),
  remove: endpoint({
    ...write,
    id: 'series.remove',
    method: 'DELETE',
    path: '/series/:id',
    summary: 'Delete a series, with or without its scheduled posts',
    params: IdParam,
    query: StrictObject({ posts: Type.Optional(Kept) }),
    returns: Type.Null(),
    errors: ['series_not_found', 'connection_not_allowed'],
    audit: 'series.delete',
  }),
}
