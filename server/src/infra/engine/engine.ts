/** A piece of work for the engine: which handler runs, with which payload, and when. */
export type Job = {
  service: string
  /** For a service that runs one job at a time per key: the key. */
  key?: string
  handler: string
  payload: unknown
  delayMs?: number
  /** The trace that the job continues (W3C Trace Context). The engine passes it on to its own spans. */
  traceparent?: string
}

/** What the rest of the server uses of the durable engine. */
export type Engine = {
  /** Notifies the workers that something is due now. If the notification is lost, their next poll finds the work. */
  wakeWorkers(): void
  /** Enqueues a job. Once this returns the engine runs it, whatever crashes. The same idempotency key twice is one job. */
  send(job: Job, idempotencyKey: string): Promise<void>
  /** Ends when the run of a job that was sent with this key has ended. Fails if that takes more than five seconds. */
  waitFor(job: Job, idempotencyKey: string): Promise<void>
}
