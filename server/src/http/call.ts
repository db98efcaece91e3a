import type { BodyOf, ParamsOf, QueryOf } from '@carillon/contract'
import type { Tx } from '../db/db.ts'
import type { Context } from '../context.ts'
import type { Principal } from './principal.ts'

/** One request as a use case sees it: who asks, and the transaction everything it does belongs to. */
export type Asked = {
  ctx: Context
  tx: Tx
  principal: Principal
  nowMs: number
  traceId: string
  /**
   * Work for after the commit; never runs when the transaction fails. The answer does not wait for what takes longer, so a worker must be
   * able to do that should it fail.
   */
  afterCommit(work: () => unknown): void
}

export type Call<E> = Asked & { params: ParamsOf<E>; query: QueryOf<E>; body: BodyOf<E> }

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
