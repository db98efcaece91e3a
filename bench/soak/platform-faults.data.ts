import type { Platform } from '../setup/simulator.ts'

/**
 * What the platforms do wrong in 5 % of the calls. Every fault passes, or the platform can be asked about it, so that no post stays
 * unconfirmed: X has no way to tell what became of a send whose answer was lost, so it only refuses for a moment or is slow.
 */
const answersLate = { kind: 'delay', ms: 1500, when: 'after' }
const tooManyCalls = { kind: 'status', status: 429, retryAfterSeconds: 2 }
const unavailable = { kind: 'status', status: 503 }
const lostAnswer = { kind: 'drop_after' }
const lostCall = { kind: 'drop_before' }
/** The only fault that ends a channel as failed. */
export const refusalStatus = 422
const refusal = { kind: 'status', status: refusalStatus }

export const faultShare = 0.05

export const submitFaults: Record<Platform, readonly object[]> = {
  bluesky: [answersLate, tooManyCalls, unavailable, lostAnswer, lostCall],
  mastodon: [answersLate, tooManyCalls, unavailable, lostAnswer, lostCall, refusal],
  threads: [answersLate, tooManyCalls, lostAnswer],
  x: [answersLate, tooManyCalls],
}

export const otherFaults: readonly object[] = [unavailable, lostCall, answersLate]

/** Calls other than publishing. A failed one is repeated, or its answer is not needed. */
export const otherOperations = ['metrics', 'stage', 'find', 'check'] as const
