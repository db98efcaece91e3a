import type { FastifyRequest } from 'fastify'

/** Whether the client accepts gzip. `gzip;q=0` refuses it. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding'] ?? ''
  const codings = Array.isArray(accepted) ? accepted.join() : accepted
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(codings)
}
