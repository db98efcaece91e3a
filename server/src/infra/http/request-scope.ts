import type { BodyOf, ParamsOf, QueryOf } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/db.ts'
import type { Context } from '../../context.ts'
import type { Principal } from './principal.ts'

/** One request as a use case sees it: who sent it, and the transaction that everything it does belongs to. */
export type RequestScope = {
  ctx: Context
  tx: Tx
  principal: Principal
  nowMs: number
  traceId: string
  /**
   * Work for after the commit; it never runs when the transaction fails. The answer does not wait for it, so a worker must be able to do
   * the same work if it fails.
   */
  afterCommit(work: () => unknown): void
}

/** The checked parts of a request to this endpoint. */
type Input<E> = { params: ParamsOf<E>; query: QueryOf<E>; body: BodyOf<E> }

export type Call<E> = RequestScope & Input<E>

/** A request whose handler opens the short transactions it needs by itself. */
export type WaitingCall<E> = Omit<RequestScope, 'tx' | 'afterCommit'> & Input<E>

/** What a handler is given of a request that `route` has admitted. */
export function buildCall<E>(ctx: Context, request: FastifyRequest, principal: Principal): WaitingCall<E> {
  const { params, query, body, id: traceId } = request
  // The one place where what the validators checked gets the types of the endpoint's schemas.
  return { ctx, principal, nowMs: ctx.nowMs(), traceId, ...({ params, query, body } as Input<E>) }
}

/** An answer with a status other than the endpoint's usual one, or with the id of what was made, for the audit log. */
export class Answer<T> {
  readonly data: T
  readonly status: number | undefined
  readonly subjectId: string | undefined

  constructor(data: T, more: { status?: number; subjectId?: string } = {}) {
    this.data = data
    this.status = more.status
    this.subjectId = more.subjectId
  }
}
