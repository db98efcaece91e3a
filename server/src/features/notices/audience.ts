import { noticeKinds, type NoticeGroup, type NoticeKind, type Role } from '@carillon/contract'
import { roleAllows } from '@carillon/core'

/** The lowest role that is told. It is asked again whenever a notice is shown or mailed. */
const lowestRole: Readonly<Record<NoticeKind, Role>> = {
  posts_failed: 'editor',
  posts_unconfirmed: 'editor',
  posts_late: 'editor',
  needs_reconnect: 'admin',
  expiring: 'admin',
  approval_asked: 'admin',
  approved: 'editor',
  changes_requested: 'editor',
}

export function isNoticeKind(kind: string): kind is NoticeKind {
  return Object.hasOwn(noticeKinds, kind)
}

export function isToldTo(kind: NoticeKind, role: Role): boolean {
  return roleAllows(role, lowestRole[kind])
}

export function kindsToldTo(role: Role): NoticeKind[] {
  return Object.keys(lowestRole).filter((kind): kind is NoticeKind => isNoticeKind(kind) && isToldTo(kind, role))
}

export function groupOf(kind: NoticeKind): NoticeGroup {
  return noticeKinds[kind]
}
