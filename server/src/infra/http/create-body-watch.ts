import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

type Limits = {
  /** How often the bodies are looked at. */
  periodMs: number
  /** How long a body without files may take. */
  totalMsMax: number
  /** How much of a body with files must arrive in each period. A large file may take hours, but not at any rate. */
  bytesPerPeriodMin: number
}

const defaultLimits: Limits = { periodMs: 30_000, totalMsMax: 60_000, bytesPerPeriodMin: 30_000 }

type Watched = { raw: IncomingMessage; hasFiles: boolean; startedMs: number; bytesSeen: number }

/** Disconnects clients that send a body too slowly: each would otherwise hold a connection for as long as it likes. */
export function createBodyWatch(nowMs: () => number, limits: Limits = defaultLimits) {
  const bodies = new Set<Watched>()
  const look = () => {
    // A request that a test injects has no connection, and can be ended all the same.
    for (const body of bodies) if (isTooSlow(body, nowMs(), limits)) body.raw.destroy()
  }
  const timer = setInterval(look, limits.periodMs).unref()
  return {
    watch({ raw, headers }: FastifyRequest): void {
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
      const body = { raw, hasFiles: sendsFiles(raw), startedMs: nowMs(), bytesSeen: raw.socket.bytesRead }
      bodies.add(body)
      raw.once('end', () => bodies.delete(body))
      raw.once('close', () => bodies.delete(body))
    },
    close: () => clearInterval(timer),
  }
}

function sendsFiles({ headers, method }: IncomingMessage): boolean {
  return method === 'PUT' || (headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false)
}

function isTooSlow(body: Watched, nowMs: number, { totalMsMax, bytesPerPeriodMin, periodMs }: Limits): boolean {
  const { raw, hasFiles, startedMs, bytesSeen } = body
  const { bytesRead } = raw.socket
  body.bytesSeen = bytesRead
  // What has arrived and was not read yet stops the client: it waits for us, for example while a file is checked.
  if (raw.readableLength > 0) return false
  if (!hasFiles) return nowMs - startedMs > totalMsMax
  return nowMs - startedMs >= periodMs && bytesRead - bytesSeen < bytesPerPeriodMin
}

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
