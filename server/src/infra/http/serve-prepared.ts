import type { Endpoint, ReturnsOf } from '@carillon/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { buildCall, type Answer, type RequestScope, type WaitingCall } from './request-scope.ts'
import { routeJson } from './route.ts'
import { answerInTransaction } from './serve.ts'

/** What is ready to be stored after the long part of a request. */
export type Prepared<R> = {
  /** Stands for what was sent, which is no longer at hand: an Idempotency-Key is good for the same again. Null means the body says it. */
  fingerprint: Buffer | null
  store(scope: RequestScope): Promise<R | Answer<R>>
  /** Undoes the preparation, because it is not stored after all. */
  discard(): Promise<void>
}

/**
 * `serve` for what takes in files: they are read and looked at without a transaction, and then stored in one, together with the audit row
 * and the answer the Idempotency-Key remembers. Of two requests with the same key that run at once, one stores and the other gets its answer.
 */
export function servePrepared<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  prepare: (call: WaitingCall<E> & { request: FastifyRequest }) => Promise<Prepared<ReturnsOf<E>>>,
): void {
  routeJson(app, ctx, endpoint, async ({ request, principal, idempotent }) => {
    const prepared = await prepare({ ...buildCall<E>(ctx, request, principal), request })
    const named = idempotent && { ...idempotent, requestHash: prepared.fingerprint ?? idempotent.requestHash }
    const handle = (scope: RequestScope) => prepared.store(scope)
    try {
      const answer = await answerInTransaction(ctx, endpoint, { request, principal, idempotent: named, hooks: app.hooks, handle })
      if (answer.replayed) await prepared.discard()
      return answer
    } catch (error) {
      await prepared.discard().catch((err: unknown) => ctx.log.warn({ err }, 'what was prepared for a request was left behind'))
      throw error
    }
  })
}
