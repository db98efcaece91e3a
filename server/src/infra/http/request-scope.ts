import type { BodyOf, ParamsOf, QueryOf } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/db.ts'
import type { Context } from '../../context.ts'
import { traceparentOf } from '../tracing/trace-requests.ts'
import type { Principal } from './principal.ts'

/** What a use case receives for one request: the caller, and the transaction for everything that it reads and writes. */
export type RequestScope = {
  ctx: Context
  tx: Tx
  principal: Principal
  nowMs: number
  traceId: string
  /** What jobs of this request continue, see infra/tracing. */
  traceparent?: string
  /** The If-Match header: change only this version. Null: whichever version is stored. */
  ifMatch: string | null
  /**
   * Runs work after the commit, and not at all if the transaction fails. The answer does not wait for it and its failure is only logged,
   * so a worker must be able to repeat the work.
   */
  afterCommit(work: () => unknown): void
}

/** The checked parts of a request to this endpoint. */
type Input<E> = { params: ParamsOf<E>; query: QueryOf<E>; body: BodyOf<E> }

export type Call<E> = RequestScope & Input<E>

/** A request whose handler has no transaction and opens short ones itself. */
export type WaitingCall<E> = Omit<RequestScope, 'tx' | 'afterCommit'> & Input<E>

/** Builds the handler's argument from a request that `route` has authenticated and validated. */
export function buildCall<E>(ctx: Context, request: FastifyRequest, principal: Principal): WaitingCall<E> {
  const { params, query, body, id: traceId } = request
  // This cast is safe: the validators have checked these values against the schemas from which the types are derived.
  const scope = { ctx, principal, nowMs: ctx.nowMs(), traceId, traceparent: traceparentOf(request), ifMatch: ifMatchOf(request) }
  return { ...scope, ...({ params, query, body } as Input<E>) }
}

export function ifMatchOf({ headers }: FastifyRequest): string | null {
  return headers['if-match'] ?? null
}

type AnswerOptions<T> = {
  status?: number
  /** The id of the created object, for the audit log. */
  subjectId?: string
  /** The answer to a repeated request, without the secret that only the first answer shows. */
  withoutSecret?: T
  /** An ETag that cannot be made from the answer. */
  etag?: string
}

/** An answer with more than its data. */
export class Answer<T> {
  readonly data: T
  readonly status: number | undefined
  readonly subjectId: string | undefined
  readonly withoutSecret: T | undefined
  readonly etag: string | undefined

  constructor(data: T, { status, subjectId, withoutSecret, etag }: AnswerOptions<T> = {}) {
    this.data = data
    this.status = status
    this.subjectId = subjectId
    this.withoutSecret = withoutSecret
    this.etag = etag
  }
}
