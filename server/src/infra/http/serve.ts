import type { Endpoint, ReturnsOf } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Tx } from '../db/db.ts'
import type { HttpHooks } from './http-hooks.ts'
import { commitThenRun } from './commit-then-run.ts'
import { etagOf } from './etag.ts'
import { Answer, buildCall, ifMatchOf, type Call, type RequestScope } from './request-scope.ts'
import { traceparentOf } from '../tracing/trace-requests.ts'
import { findAnswer, insertAnswer, type IdempotentRequest } from './idempotency.store.ts'
import type { Principal } from './principal.ts'
import { isAutosave, routeJson, type AuthenticatedRequest, type JsonAnswer } from './route.ts'

/**
 * Registers an endpoint of the contract: authentication, validation, one transaction with the workspace set, and the JSON envelope around
 * the answer. The transaction also contains the idempotency row and the audit row. An endpoint that only waits for another service uses
 * `serveWaiting` instead. One that first receives files or calls another service, and then stores the result, uses `servePrepared`. One
 * that answers with a file uses `serveFile`.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  handle: (call: Call<E>) => Promise<ReturnsOf<E> | Answer<ReturnsOf<E>>>,
): void {
  routeJson(app, ctx, endpoint, (authenticated) => {
    const input = buildCall<E>(ctx, authenticated.request, authenticated.principal)
    return answerInTransaction(ctx, endpoint, {
      ...authenticated,
      hooks: app.hooks,
      handle: (scope) => handle({ ...input, ...scope }),
    })
  })
}

type Handled<E> = AuthenticatedRequest & {
  idempotent: IdempotentRequest | null
  hooks: HttpHooks
  handle: (scope: RequestScope) => Promise<ReturnsOf<E> | Answer<ReturnsOf<E>>>
}

/** The changes of a request, its audit entry and the stored answer commit in one transaction. */
export async function answerInTransaction<E extends Endpoint>(
  ctx: Context,
  endpoint: E,
  { request, principal, idempotent, hooks, handle }: Handled<E>,
): Promise<JsonAnswer> {
  const transact = (work: (tx: Tx) => Promise<JsonAnswer>) => inTransaction(ctx, endpoint, principal, work)
  return commitThenRun({ ctx, traceId: request.id }, transact, async (tx, afterCommit) => {
    const before = idempotent && (await findAnswer(tx, idempotent))
    if (before) return { ...before, replayed: true, etag: endpoint.hasETag ? etagOfBody(JSON.parse(before.body)) : undefined }
    const scope = {
      ctx,
      tx,
      principal,
      nowMs: ctx.nowMs(),
      traceId: request.id,
      traceparent: traceparentOf(request),
      ifMatch: ifMatchOf(request),
    }
    const made = await handle({ ...scope, afterCommit })
    const answered = made instanceof Answer ? made : new Answer(made)
    const { data, status = endpoint.ok, subjectId, etag } = answered
    const subject = subjectId ?? idOf(request.params)
    // Both are sent at once.
    await Promise.all([
      endpoint.audit &&
        hooks.recordChange(tx, {
          action: endpoint.audit,
          subjectId: subject,
          // A person who creates a workspace is in none yet: the entry belongs to the new one.
          by: principal.workspaceId === '' && subject ? { ...principal, workspaceId: subject } : principal,
          nowMs: scope.nowMs,
          traceId: request.id,
          isAutosave: isAutosave(endpoint, request),
        }),
      idempotent && insertAnswer(tx, idempotent, { status, body: envelope(repeatedData(endpoint, answered)) }),
    ])
    return { status, body: envelope(data), replayed: false, etag: etag ?? (endpoint.hasETag ? etagOfBody({ data }) : undefined) }
  })
}

/** What a repeated request is answered with. An endpoint that returns a secret must say what remains without it. */
function repeatedData<T>({ id, returnsSecret }: Endpoint, { data, withoutSecret }: Answer<T>): T {
  if (!returnsSecret) return data
  if (withoutSecret === undefined) throw new Error(`${id} returns a secret and does not say what a repeated request gets`)
  return withoutSecret
}

function envelope(data: unknown): string {
  return JSON.stringify({ success: true, data })
}

function inTransaction<T>(ctx: Context, endpoint: Endpoint, principal: Principal, work: (tx: Tx) => Promise<T>): Promise<T> {
  // Endpoints above the workspaces (list, create) belong to no single workspace.
  if (endpoint.workspace === 'none') return ctx.db.system.transaction().execute(work)
  const isRead = endpoint.method === 'GET' && endpoint.audit === null
  return isRead ? ctx.db.readOnly(principal.workspaceId, work) : ctx.db.tenant(principal.workspaceId, work)
}

function etagOfBody(body: unknown): string | undefined {
  const { data } = body as { data?: { updatedAt?: string } }
  return data?.updatedAt === undefined ? undefined : etagOf(data.updatedAt)
}

function idOf(params: unknown): string | null {
  return (params as { id?: string } | undefined)?.id ?? null
}
