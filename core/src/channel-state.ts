import type { ChannelStatus } from '@carillon/contract'

/**
 * The states of a channel. draft: not to be sent. scheduled: waits for its time. dispatched: claimed by a worker and enqueued in the engine.
 * submitting: the guard is set, the request may have been sent. confirming: the platform accepted it and is still processing it.
 * doubted: the database was restored to a time before the due time, so the channel may have been sent; it is asked about, never sent.
 */
export const channelStates = [
  'draft',
  'scheduled',
  'dispatched',
  'submitting',
  'confirming',
  'doubted',
  'published',
  'failed',
  'unconfirmed',
  'canceled',
] as const
export type ChannelState = (typeof channelStates)[number]

/**
 * Every change of a channel's state: what causes it, the states it may start from, and the state it leads to. The stores build their SQL
 * from this table, so a change that is not listed here cannot happen.
 */
export const channelTransitions = {
  /** A person schedules, reschedules or publishes the post. */
  schedule: { from: ['draft', 'scheduled', 'dispatched'], to: 'scheduled' },
  /** A person returns the post to draft. */
  unschedule: { from: ['scheduled', 'dispatched'], to: 'draft' },
  /** A person retries a failed channel. */
  retry: { from: ['failed'], to: 'scheduled' },
  /** The connection is removed before the channel was sent. */
  cancel: { from: ['scheduled', 'dispatched'], to: 'canceled' },
  /** A person says that an unconfirmed channel was published. */
  resolvePublished: { from: ['unconfirmed', 'doubted'], to: 'published' },
  /** A person says that an unconfirmed channel was not published. */
  resolveNotPublished: { from: ['unconfirmed', 'doubted'], to: 'failed' },

  /** A worker claims a channel that falls due. */
  claim: { from: ['scheduled'], to: 'dispatched' },
  /** A claim that led to nothing, or a channel that is prepared, returns to the schedule. */
  release: { from: ['dispatched'], to: 'scheduled' },
  /** The guard: from here on the post may have been sent. */
  arm: { from: ['dispatched'], to: 'submitting' },
  /** Armed, and put back in the same transaction because a rate limit is used up. */
  disarm: { from: ['submitting'], to: 'scheduled' },
  /** Too late by the workspace's setting: back to the person as a draft. */
  hold: { from: ['scheduled', 'dispatched'], to: 'draft' },

  /** The platform published it. An answer that arrives after all may still replace `unconfirmed`. */
  settlePublished: { from: ['submitting', 'confirming', 'unconfirmed', 'doubted'], to: 'published' },
  /** The platform accepted it and is still processing. */
  settleProcessing: { from: ['submitting'], to: 'confirming' },
  settleFailed: { from: ['dispatched', 'submitting', 'confirming'], to: 'failed' },
  /** Certainly not sent; it is tried again later. */
  settleLater: { from: ['dispatched', 'submitting'], to: 'scheduled' },
  settleUnconfirmed: { from: ['submitting', 'confirming'], to: 'unconfirmed' },
  /** A part is made after one that is published, such as a first comment after its post. It starts in the schedule. */
  follow: { from: ['published'], to: 'scheduled' },
  /** A post of a thread that nothing can be an answer to: the platform's id of the one before it is not known. */
  followInVain: { from: ['published'], to: 'failed' },
  /** A post of a thread that may have been sent, because the one before it was in doubt and is found. */
  followInDoubt: { from: ['published'], to: 'doubted' },

  /**
   * The database was restored, and the channel was due in the lost time. `submitting` too: what was tried after the lost answer is unknown.
   */
  doubt: { from: ['scheduled', 'dispatched', 'submitting'], to: 'doubted' },
  /** The platform proved that a doubted channel was not published. */
  restoreAbsent: { from: ['doubted'], to: 'scheduled' },
} as const satisfies Record<string, { from: readonly ChannelState[]; to: ChannelState }>

export type ChannelTransition = keyof typeof channelTransitions

const statusOf: Readonly<Record<ChannelState, ChannelStatus>> = {
  draft: 'pending',
  scheduled: 'pending',
  dispatched: 'pending',
  submitting: 'publishing',
  confirming: 'publishing',
  doubted: 'unconfirmed',
  published: 'success',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
  canceled: 'canceled',
}

/** The word the interface uses for a state. */
export function channelStatus(state: ChannelState): ChannelStatus {
  return statusOf[state]
}

const finalStates: ReadonlySet<ChannelState> = new Set(['published', 'failed', 'unconfirmed', 'doubted', 'canceled'])

/** True when nothing more happens to the channel by itself, except that an answer may still replace `unconfirmed` and `doubted`. */
export function isFinal(state: ChannelState): boolean {
  return finalStates.has(state)
}

/** True while a reschedule, a cancel or a delete can still stop it. Once the guard is set the request may have been sent. */
export function isStoppable(state: ChannelState): boolean {
  return state === 'draft' || state === 'scheduled' || state === 'dispatched'
}
