import { Pool } from 'undici'
import type { Job } from './engine.ts'

const connections = 32
const timeoutMs = 10_000

/** The engine does not know the service of a job: no worker is registered, for example because the engine lost its data. */
export class UnknownServiceError extends Error {}

/** Sends jobs to the engine, one HTTP request per job. */
export function openIngress(url: string) {
  const pool = new Pool(url, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: 2000 } })
  return {
    async send({ service, key, handler, payload, delayMs, traceparent }: Job, idempotencyKey: string): Promise<void> {
      const delay = delayMs && delayMs > 0 ? `?delay=${Math.ceil(delayMs)}ms` : ''
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `/${service}/${key === undefined ? '' : `${encodeURIComponent(key)}/`}${handler}/send${delay}`,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          ...(traceparent !== undefined && { traceparent }),
        },
        body: JSON.stringify(payload),
      })
      const answer = await body.text()
      if (statusCode < 300) return
      const message = `the engine answered ${statusCode} to ${service}/${handler}: ${answer.slice(0, 200)}`
      throw statusCode === 404 ? new UnknownServiceError(message) : new Error(message)
    },
    close: () => pool.close(),
  }
}
