import type { Endpoint, ReturnsOf } from '@carillon/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { buildCall, type Answer, type RequestScope, type WaitingCall } from './request-scope.ts'
import { routeJson } from './route.ts'
import { answerInTransaction } from './serve.ts'

/** The result of the long part of a request, ready to be stored. */
export type Prepared<R> = {
  /** A hash of what was sent, to compare requests with the same Idempotency-Key. Null: use the hash of the JSON body. */
  fingerprint: Buffer | null
  store(scope: RequestScope): Promise<R | Answer<R>>
  /** Undoes the preparation when it is not stored. */
  discard(): Promise<void>
}

/**
 * `serve` for endpoints that first receive files or call another service. The preparation runs without a transaction. Its result is stored
 * in one, together with the audit row and the answer for the Idempotency-Key. Of two concurrent requests with the same key, one stores and
 * the other gets its answer.
 */
export function servePrepared<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  prepare: (call: WaitingCall<E> & { request: FastifyRequest }) => Promise<Prepared<ReturnsOf<E>>>,
): void {
  routeJson(app, ctx, endpoint, async ({ request, principal, idempotent }) => {
    const prepared = await prepare({ ...buildCall<E>(ctx, request, principal), request })
    const withFingerprint = idempotent && { ...idempotent, requestHash: prepared.fingerprint ?? idempotent.requestHash }
    const handle = (scope: RequestScope) => prepared.store(scope)
    try {
      const answer = await answerInTransaction(ctx, endpoint, {
        request,
        principal,
        idempotent: withFingerprint,
        hooks: app.hooks,
        handle,
      })
      if (answer.replayed) await prepared.discard()
      return answer
    } catch (error) {
      await prepared
        .discard()
        .catch((err: unknown) => ctx.log.warn({ err }, 'the preparation of a failed request could not be undone'))
      throw error
    }
  })
}
