import type { Endpoint, ReturnsOf } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Tx } from '../db/db.ts'
import { buildCall, type WaitingCall } from './request-scope.ts'
import { claimAnswer, dropClaim, settleClaim } from './idempotency.store.ts'
import { routeJson } from './route.ts'

/**
 * `serve` for what waits for somebody else and changes nothing of ours, such as asking a language model: no transaction, and so no database
 * connection, is held meanwhile. An Idempotency-Key is claimed in a short transaction before and settled in another one after.
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

    const inShort = <T>(step: (tx: Tx) => Promise<T>) => ctx.db.tenant(principal.workspaceId, step)
    const before = await inShort((tx) => claimAnswer(tx, idempotent))
    if (before) return { ...before, replayed: true }
    try {
      const made = await work()
      await inShort((tx) => settleClaim(tx, idempotent, made))
      return { ...made, replayed: false }
    } catch (error) {
      // The key is free again; should this be lost too, the claim runs out by itself.
      await inShort((tx) => dropClaim(tx, idempotent)).catch((err: unknown) =>
        ctx.log.warn({ err }, 'an idempotency claim was left'),
      )
      throw error
    }
  })
}
