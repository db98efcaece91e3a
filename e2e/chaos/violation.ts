/**
 * lost: promised and not there. doubled: there twice, or two posts from one key. early: out before its time. stopped: out although a stop
 * was confirmed. lied: the channel says one thing and the platform another. unsure: unconfirmed where it could be known. stuck: not
 * final in time. missing: accepted and no longer known. comment: a first comment neither sent nor excused. refused: an answer
 * that no client should get.
 */
export type ViolationKind =
  | 'lost'
  | 'doubled'
  | 'early'
  | 'stopped'
  | 'lied'
  | 'unsure'
  | 'stuck'
  | 'missing'
  | 'comment'
  | 'refused'

export type Violation = { kind: ViolationKind; text: string; detail: string }
