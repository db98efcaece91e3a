import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'

/** What a person is told about. Each is one group of the settings. */
export const noticeKinds = {
  posts_failed: 'failures',
  posts_unconfirmed: 'failures',
  posts_late: 'failures',
  needs_reconnect: 'connections',
  expiring: 'connections',
  approval_asked: 'approvals',
  approved: 'approvals',
  changes_requested: 'approvals',
} as const
export type NoticeKind = keyof typeof noticeKinds

export const noticeGroups = ['failures', 'connections', 'approvals'] as const
export type NoticeGroup = (typeof noticeGroups)[number]

const noticeMails = ['off', 'digest', 'at_once'] as const
export type NoticeMail = (typeof noticeMails)[number]

export const Notice = StrictObject({
  id: ObjectId,
  kind: Type.Enum(Object.keys(noticeKinds) as NoticeKind[]),
  count: Type.Integer({ minimum: 1, description: 'How many posts, or accounts, have this cause' }),
  code: Nullable(Type.String({ description: 'Why posts failed; a code of docs/errors' })),
  message: Nullable(Type.String({ description: 'What the code means' })),
  connection: Nullable(StrictObject({ id: Type.String(), slug: Type.String(), handle: Type.String(), platform: Type.String() })),
  postId: Nullable(Type.String({ description: 'The post, if the notice is about one' })),
  person: Nullable(StrictObject({ userId: Type.String(), name: Type.String() })),
  waiting: Type.Integer({ minimum: 0, description: 'How many posts wait for the account, up to 1,000' }),
  expiresAt: Nullable(Timestamp),
  isRead: Type.Boolean(),
  resolvedAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When the cause went away by itself or was mended' })),
  firstAt: Timestamp,
  lastAt: Timestamp,
})
export type Notice = Static<typeof Notice>

const mail = Type.Enum([...noticeMails])

const settings = {
  failures: Type.Unsafe<NoticeMail>({
    ...mail,
    description: 'Posts that failed. Those that are unconfirmed or late are mailed at once, unless off',
  }),
  connections: Type.Unsafe<NoticeMail>({ ...mail, description: 'Accounts that must be connected again, or soon' }),
  approvals: Type.Unsafe<NoticeMail>({ ...mail, description: 'Posts that wait for an approval, and decisions about your own' }),
}
const DigestHour = Type.Integer({ minimum: 0, maximum: 23, description: 'The hour of the day at which the digest is sent' })
const Timezone = Type.String({ minLength: 1, maxLength: 64, description: 'The IANA time zone of that hour' })

/** What a person is mailed about, in all their workspaces. */
export const NoticeSettings = StrictObject({
  ...settings,
  digestHour: DigestHour,
  timezone: Timezone,
  canMail: Type.Boolean({ description: 'Whether this installation has a mail server. Without one nothing is mailed' }),
})
export type NoticeSettings = Static<typeof NoticeSettings>

const NoticeSettingsChange = StrictObject({
  failures: Type.Optional(settings.failures),
  connections: Type.Optional(settings.connections),
  approvals: Type.Optional(settings.approvals),
  digestHour: Type.Optional(DigestHour),
  timezone: Type.Optional(Timezone),
})

const ofWorkspace = { role: 'viewer', workspace: 'header', ok: 200, errors: [], audit: null } as const
const ofPerson = { role: 'viewer', workspace: 'none', ok: 200, errors: [], audit: null } as const

/** Each person reads their own. What somebody has read is no part of the workspace, so it is in no audit log. */
export const notices = {
  list: endpoint({
    ...ofWorkspace,
    id: 'notices.list',
    scope: 'workspaces:read',
    method: 'GET',
    path: '/notices',
    summary: 'What you are told about in this workspace: the 100 newest notices, one for each cause',
    returns: StrictObject({
      notices: Type.Array(Notice),
      unread: Type.Integer({ minimum: 0, description: 'How many of yours are unread, up to 1,000' }),
    }),
  }),
  markRead: endpoint({
    ...ofWorkspace,
    id: 'notices.markRead',
    scope: 'workspaces:write',
    method: 'POST',
    path: '/notices/read',
    summary: 'Mark notices as read, or all of them',
    body: StrictObject({
      ids: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 100,
          description: 'Absent: all of yours in this workspace',
        }),
      ),
    }),
    isBodyOptional: true,
    returns: StrictObject({ unread: Type.Integer({ minimum: 0 }) }),
  }),
  settings: endpoint({
    ...ofPerson,
    id: 'notices.settings',
    scope: 'workspaces:read',
    method: 'GET',
    path: '/me/notices',
    summary: 'What you are mailed about',
    returns: NoticeSettings,
  }),
  updateSettings: endpoint({
    ...ofPerson,
    id: 'notices.updateSettings',
    scope: 'workspaces:write',
    method: 'PATCH',
    path: '/me/notices',
    summary: 'Choose what you are mailed about, and when',
    body: NoticeSettingsChange,
    returns: NoticeSettings,
  }),
}
