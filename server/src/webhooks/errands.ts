import type { Errand } from '../engine/engine.ts'

/** A delivery as the engine carries it: where it is, and the generation that makes a stale run recognisable. */
export type Ticket = { workspaceId: string; webhookId: string; deliveryId: string; generation: number }

export const webhooksService = 'webhooks'

export const deliverErrand = (ticket: Ticket, delayMs: number): Errand => ({
  service: webhooksService,
  handler: 'deliver',
  payload: ticket,
  delayMs,
})

/** The same hand-over twice is one errand. */
export function errandKey({ deliveryId, generation }: Ticket): string {
  return `${deliveryId}:${generation}`
}
