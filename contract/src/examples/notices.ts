import type { Notice, NoticeSettings, notices } from '../account/notices.ts'
import type { ExamplesOf } from './case.ts'

const notice: Notice = {
  id: '6735f0c29b1e8a0012ab5d10',
  kind: 'posts_failed',
  count: 12,
  code: 'account_gone',
  message: 'The account no longer exists on the platform.',
  connection: { id: '6735f0c29b1e8a0012ab34d1', slug: 'x-thetower', handle: 'thetower', platform: 'x' },
  postId: null,
  person: null,
  waiting: 3,
  expiresAt: null,
  isRead: false,
  resolvedAt: null,
  firstAt: '2026-11-14T10:20:00.512Z',
  lastAt: '2026-11-14T10:20:03.120Z',
}

const settings: NoticeSettings = {
  failures: 'digest',
  connections: 'at_once',
  approvals: 'at_once',
  digestHour: 8,
  timezone: 'Europe/Berlin',
  canMail: true,
}

export const noticeExamples: ExamplesOf<typeof notices> = {
  list: [{ returns: { notices: [notice], unread: 1 } }],
  markRead: [{ body: { ids: [notice.id] }, returns: { unread: 0 } }],
  settings: [{ returns: settings }],
  updateSettings: [
    { body: { failures: 'at_once', digestHour: 7 }, returns: { ...settings, failures: 'at_once', digestHour: 7 } },
  ],
}
