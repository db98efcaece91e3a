import type { Errand } from '../engine/engine.ts'

/** A channel as the engine carries it: where it is, and the generation that makes a stale run recognisable. */
export type Ticket = { workspaceId: string; channelId: string; generation: number }

/** Channels of one platform that travel together. */
export type Batch = { platform: string; tickets: readonly Ticket[] }

export type Inquiry = { tickets: readonly Ticket[]; round: number }

export const publishService = 'publish'

export const submitErrand = (batch: Batch, delayMs = 0): Errand => ({
  service: publishService,
  handler: 'submit',
  payload: batch,
  delayMs,
})

export const prepareErrand = (ticket: Ticket): Errand => ({ service: publishService, handler: 'prepare', payload: ticket })

/** Finds out what became of sends whose answer is missing; none for none. */
export const recoverErrands = (tickets: readonly Ticket[], round: number, delayMs: number): Errand[] =>
  tickets.length > 0
    ? [{ service: publishService, handler: 'recover', payload: { tickets, round } satisfies Inquiry, delayMs }]
    : []

/** Asks how a send that the platform is still processing is doing. */
export const checkErrand = (ticket: Ticket, round: number, delayMs: number): Errand => ({
  service: publishService,
  handler: 'check',
  payload: { ticket, round },
  delayMs,
})

export const commentErrand = (ticket: Ticket): Errand => ({ service: publishService, handler: 'comment', payload: ticket })
