import type { Endpoint, ReturnsOf } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Tx } from '../db/db.ts'
import { buildCall, type WaitingCall } from './request-scope.ts'
import { claimAnswer, dropClaim, settleClaim } from './idempotency.store.ts'
import { routeJson } from './route.ts'

/**
 * `serve` for endpoints that wait for another service and change nothing in the database, such as a request to a language model. No
 * transaction and no database connection is held while waiting. An Idempotency-Key is claimed in a short transaction before the work and
 * settled in another one after it.
 */
export function serveWaiting<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  handle: (call: WaitingCall<E>) => Promise<ReturnsOf<E>>,
): void {
  if (endpoint.audit !== null || endpoint.workspace === 'none')
    throw new Error(`${endpoint.id} changes something or has no workspace: it needs serve`)
  routeJson(app, ctx, endpoint, async ({ request, principal, idempotent }) => {
    const work = async () => {
      const data = await handle(buildCall<E>(ctx, request, principal))
      return { status: endpoint.ok, body: JSON.stringify({ success: true, data }) }
    }
    if (!idempotent) return { ...(await work()), replayed: false }

    const inShortTransaction = <T>(step: (tx: Tx) => Promise<T>) => ctx.db.tenant(principal.workspaceId, step)
    const before = await inShortTransaction((tx) => claimAnswer(tx, idempotent))
    if (before) return { ...before, replayed: true }
    try {
      const made = await work()
      await inShortTransaction((tx) => settleClaim(tx, idempotent, made))
      return { ...made, replayed: false }
    } catch (error) {
      // Releases the key. If this fails too, the claim expires by itself.
      await inShortTransaction((tx) => dropClaim(tx, idempotent)).catch((err: unknown) =>
        ctx.log.warn({ err }, 'an idempotency claim could not be released; it will expire'),
      )
      throw error
    }
  })
}
