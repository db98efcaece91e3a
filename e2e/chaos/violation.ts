/**
 * - lost: promised, but not on the platform
 * - doubled: published twice, or two posts from one Idempotency-Key
 * - early: published before its time
 * - stopped: published although a stop was confirmed
 * - mismatch: the channel says one thing and the platform shows another
 * - unconfirmed: a channel is unconfirmed although the service could have looked the post up
 * - stuck: not final in time
 * - missing: accepted, but the API does not know it any more
 * - comment: a first comment was not sent, and no warning says so
 * - refused: an answer that no client should get
 */
export type ViolationKind =
  | 'lost'
  | 'doubled'
  | 'early'
  | 'stopped'
  | 'mismatch'
  | 'unconfirmed'
  | 'stuck'
  | 'missing'
  | 'comment'
  | 'refused'

export type Violation = { kind: ViolationKind; text: string; detail: string }
