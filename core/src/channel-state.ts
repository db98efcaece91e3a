import type { ChannelStatus } from '@carillon/contract'

/**
 * The internal state of a channel.
 * draft: not to be sent. scheduled: waits for its time. dispatched: claimed by the dispatcher and enqueued in the engine.
 * submitting: the guard is set, so the call to the platform may have been made.
 * confirming: the platform accepted the post and is still processing it.
 */
export const channelStates = [
  'draft',
  'scheduled',
  'dispatched',
  'submitting',
  'confirming',
  'published',
  'failed',
  'unconfirmed',
  'canceled',
] as const
export type ChannelState = (typeof channelStates)[number]

/** From where to where a channel may go, and nowhere else. */
export const channelMoves: Readonly<Record<ChannelState, readonly ChannelState[]>> = {
  draft: ['scheduled', 'canceled'],
  scheduled: ['dispatched', 'draft', 'scheduled', 'canceled'],
  dispatched: ['submitting', 'scheduled', 'draft', 'failed', 'canceled'],
  // Back to scheduled only when the platform said that nothing happened.
  submitting: ['published', 'confirming', 'failed', 'unconfirmed', 'scheduled'],
  confirming: ['published', 'failed', 'unconfirmed'],
  published: [],
  failed: ['scheduled'],
  // A person says what became of it.
  unconfirmed: ['published', 'failed'],
  canceled: [],
}

const statusOf: Readonly<Record<ChannelState, ChannelStatus>> = {
  draft: 'pending',
  scheduled: 'pending',
  dispatched: 'pending',
  submitting: 'publishing',
  confirming: 'publishing',
  published: 'success',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
  canceled: 'canceled',
}

/** The status that the API shows for a state. */
export function channelStatus(state: ChannelState): ChannelStatus {
  return statusOf[state]
}

export function isFinal(state: ChannelState): boolean {
  return state === 'published' || state === 'failed' || state === 'unconfirmed' || state === 'canceled'
}

/** Can a reschedule, a cancel or a delete still stop the channel? Once the guard is set, the call may already have been made. */
export function isStoppable(state: ChannelState): boolean {
  return state === 'draft' || state === 'scheduled' || state === 'dispatched'
}
