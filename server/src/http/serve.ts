import type { Endpoint, ReturnsOf } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import { noteChange } from '../audit/note-change.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/db.ts'
import { Answer, type Call } from './call.ts'
import { findAnswer, insertAnswer } from './idempotency.store.ts'
import type { Principal } from './principal.ts'
import { route, type Admitted, type Sendable } from './route.ts'

/**
 * Puts an endpoint of the contract on the router: who may, is it well formed, one transaction with the workspace set, the idempotency
 * row and the audit row inside it, and the envelope around the answer. What waits for somebody else takes `serveWaiting` instead,
 * what takes in a file first `servePrepared`.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  handle: (call: Call<E>) => Promise<ReturnsOf<E> | Answer<ReturnsOf<E>>>,
): void {
  route(app, ctx, endpoint, (admitted) => answerInTransaction(ctx, endpoint, { ...admitted, handle }))
}

type Handled<E> = Admitted & { handle: (call: Call<E>) => Promise<ReturnsOf<E> | Answer<ReturnsOf<E>>> }

/** Everything a request changes, what is noted about it, and the answer that is remembered: all of it or nothing. */
export async function answerInTransaction<E extends Endpoint>(
  ctx: Context,
  endpoint: E,
  { request, principal, idempotent, handle }: Handled<E>,
): Promise<Sendable> {
  const after: (() => unknown)[] = []
  const answer = await inTransaction(ctx, endpoint, principal, async (tx) => {
    const before = idempotent && (await findAnswer(tx, idempotent))
    if (before) return { ...before, replayed: true }
    const call = {
      ctx,
      tx,
      principal,
      nowMs: ctx.nowMs(),
      traceId: request.id,
      params: request.params,
      query: request.query,
      body: request.body,
    }
    const made = await handle({ ...call, afterCommit: (work: () => unknown) => after.push(work) } as unknown as Call<E>)
    const { data, status, subjectId } = made instanceof Answer ? made : new Answer(made)
    const stored = { status: status ?? endpoint.ok, body: JSON.stringify({ success: true, data }) }
    if (endpoint.audit) {
      const subject = subjectId ?? idOf(request.params)
      await noteChange(tx, {
        action: endpoint.audit,
        subjectId: subject,
        // Somebody signed in is in no workspace while they make one: it is noted in the new one.
        by: principal.workspaceId === '' && subject ? { ...principal, workspaceId: subject } : principal,
        nowMs: call.nowMs,
        traceId: request.id,
      })
    }
    if (idempotent) await insertAnswer(tx, idempotent, stored)
    return { ...stored, replayed: false }
  })
  for (const work of after) {
    const left = (err: unknown) => ctx.log.warn({ err, traceId: request.id }, 'work after a commit is left to a worker')
    void Promise.resolve(work()).catch(left)
  }
  return answer
}

function inTransaction<T>(ctx: Context, endpoint: Endpoint, principal: Principal, work: (tx: Tx) => Promise<T>): Promise<T> {
  // Endpoints above the workspaces (list, create) belong to no single one.
  if (endpoint.workspace === 'none') return ctx.db.system.transaction().execute(work)
  const isRead = endpoint.method === 'GET' && endpoint.audit === null
  return isRead ? ctx.db.look(principal.workspaceId, work) : ctx.db.tenant(principal.workspaceId, work)
}

function idOf(params: unknown): string | null {
  return (params as { id?: string } | undefined)?.id ?? null
}
