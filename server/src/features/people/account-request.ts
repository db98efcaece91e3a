import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

/** Where a request to an account came from, for the audit log of the person. */
export type AccountRequest = { ipAddress: string | null; userAgent: string | null; traceId: string }

export function describeRequest(request: FastifyRequest): AccountRequest {
  return { ipAddress: request.ip, userAgent: request.headers['user-agent'] ?? null, traceId: request.id }
}

const store = new AsyncLocalStorage<AccountRequest>()

/** Runs a call of better-auth, whose callbacks do not get our request. */
export function withRequest<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return store.run(describeRequest(request), work)
}

export function currentRequest(): AccountRequest {
  return store.getStore() ?? { ipAddress: null, userAgent: null, traceId: '' }
}
