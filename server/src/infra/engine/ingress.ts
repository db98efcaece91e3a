import { Pool } from 'undici'
import type { Job } from './engine.ts'

const connections = 32
const timeoutMs = 10_000
/** Requests that only wait have connections of their own, so that they delay no job. */
const waitingConnections = 128
const waitMsMax = 5_000

/** The engine does not know the service of a job: no worker is registered, for example because the engine lost its data. */
export class UnknownServiceError extends Error {}

/** Sends jobs to the engine, one HTTP request per job. */
export function openIngress(url: string) {
  const pool = new Pool(url, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: 2000 } })
  const waiting = new Pool(url, {
    connections: waitingConnections,
    headersTimeout: waitMsMax,
    bodyTimeout: waitMsMax,
    connect: { timeout: 2000 },
  })
  const pathOf = ({ service, key, handler }: Job) =>
    `/${service}/${key === undefined ? '' : `${encodeURIComponent(key)}/`}${handler}`
  return {
    async send(job: Job, idempotencyKey: string): Promise<void> {
      const { service, handler, payload, delayMs, traceparent } = job
      const delay = delayMs && delayMs > 0 ? `?delay=${Math.ceil(delayMs)}ms` : ''
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `${pathOf(job)}/send${delay}`,
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
    async waitFor(job: Job, idempotencyKey: string): Promise<void> {
      const path = `/restate/invocation${pathOf(job)}/${encodeURIComponent(idempotencyKey)}/attach`
      const { statusCode, body } = await waiting.request({ method: 'GET', path })
      await body.dump()
      // The answer is that of the run, and a run that failed has ended too.
      if (statusCode === 404) throw new Error(`the engine does not know the job of ${job.service}/${job.handler}`)
    },
    close: () => Promise.all([pool.close(), waiting.destroy()]),
  }
}
