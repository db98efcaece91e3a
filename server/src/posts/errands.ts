import type { Errand } from '../engine/engine.ts'

/** A channel as the engine carries it: where it is, and the generation that makes a stale run recognisable. */
export type Ticket = { workspaceId: string; channelId: string; generation: number }

export const publishService = 'publish'

export const submitErrand = (tickets: readonly Ticket[], delayMs = 0): Errand => ({
  service: publishService,
  handler: 'submit',
  payload: { tickets },
  delayMs,
})

export const prepareErrand = (ticket: Ticket): Errand => ({ service: publishService, handler: 'prepare', payload: ticket })

/** Finds out what became of a send whose answer is missing. */
export const recoverErrand = (ticket: Ticket, round: number, delayMs: number): Errand => ({
  service: publishService,
  handler: 'recover',
  payload: { ticket, round },
  delayMs,
})

/** Asks how a send that the platform is still processing is doing. */
export const checkErrand = (ticket: Ticket, round: number, delayMs: number): Errand => ({
  service: publishService,
  handler: 'check',
  payload: { ticket, round },
  delayMs,
})

export const commentErrand = (ticket: Ticket): Errand => ({ service: publishService, handler: 'comment', payload: ticket })
