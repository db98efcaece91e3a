import type { IncomingMessage } from 'node:http'

const discardMs = 10_000

/**
 * Reads and drops the rest of a body that is not wanted, so that the client can read the answer: a connection that is closed while the
 * client sends loses it. A client that does not stop is disconnected.
 */
export function discardBody(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return
  const timer = setTimeout(() => raw.destroy(), discardMs).unref()
  raw.once('close', () => clearTimeout(timer))
  raw.once('end', () => clearTimeout(timer))
  raw.resume()
}
