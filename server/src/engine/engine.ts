/** A piece of work for the engine: which handler, with what, and when. */
export type Errand = {
  service: string
  /** For a service that works on one thing at a time: which. */
  key?: string
  handler: string
  payload: unknown
  delayMs?: number
}

/** What the rest of the server asks of the durable engine. */
export type Engine = {
  /** Something is due now: the dispatcher should not wait for its next look. Cheap, and harmless when lost. */
  nudge(): void
  /** Hands an errand over. Once this returns the engine will carry it out, whatever crashes; the same key twice is one errand. */
  send(errand: Errand, key: string): Promise<void>
}
