import type { Errand } from '../engine/engine.ts'

/** A connection's pull as the engine carries it: which, and the generation that makes a stale run recognisable. */
export type Ticket = { workspaceId: string; connectionId: string; generation: number }

export const metricsService = 'metrics'

export const pullErrand = (ticket: Ticket): Errand => ({
  service: metricsService,
  key: `${ticket.workspaceId}/${ticket.connectionId}`,
  handler: 'pull',
  payload: ticket,
})

/** The same hand-over twice is one errand. */
export function errandKey({ workspaceId, connectionId, generation }: Ticket): string {
  return `${workspaceId}/${connectionId}:${generation}`
}
