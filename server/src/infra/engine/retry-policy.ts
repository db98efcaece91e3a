/**
 * How the engine repeats a run that fails. The wait stays short, so that work goes on soon after an outage of the worker or the database.
 * After about a day the run is ended, not paused: a paused run waits for a person, and PostgreSQL holds the state from which a sweep enqueues
 * the work again.
 */
export const retryPolicy = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 20_000,
  onMaxAttempts: 'kill',
} as const
