/**
 * - lost: promised, but not on the platform
 * - doubled: the platform carried out more than one call for one channel, or one Idempotency-Key gave two posts
 * - early: published before its time
 * - late: published too late although no fault was in the way, or although its workspace holds late posts
 * - stopped: published although a stop was confirmed
 * - mismatch: the channel says one thing and the platform's record another
 * - unconfirmed: a channel is unconfirmed although its answer arrived, or the platform could have told
 * - stuck: published, but not final in time
 * - missing: accepted, but the API does not know it any more
 * - calls: more calls to a platform than a channel can need
 * - comment: a first comment is missing without a true reason, or a warning about it is wrong
 * - event: an event is missing, happened too often, or in the wrong order
 * - fence: a restored database was not recognised, or a complete one was taken for restored
 * - refused: an answer that no client should get
 */
export type ViolationKind =
  | 'lost'
  | 'doubled'
  | 'early'
  | 'late'
  | 'stopped'
  | 'mismatch'
  | 'unconfirmed'
  | 'stuck'
  | 'missing'
  | 'calls'
  | 'comment'
  | 'event'
  | 'fence'
  | 'refused'

export type Violation = { kind: ViolationKind; text: string; detail: string }
