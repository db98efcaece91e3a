import type { Plan, Role } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/db.ts'

/** The person or API key behind a request, and what it is in the workspace that the request names. */
export type Caller = {
  personId: string
  apiKeyId: string | null
  keyWorkspaceId: string | null
  workspaceOnly: boolean
  scopes: string[] | null
  membership: { role: Role; plan: Plan } | null
}

/** One entry of the audit log. */
export type Change = {
  action: string
  subjectId: string | null
  by: { workspaceId: string; personId: string; apiKeyId: string | null }
  nowMs: number
  traceId: string
}

/** What the features contribute to every request. The program passes it in, so that this folder depends on no feature. */
export type HttpHooks = {
  /** What a request presents as its identity, before it is checked: rate limits count by it. Null when it presents nothing. */
  claimedIdentity(request: FastifyRequest): string | null
  /** Who sent the request; throws a problem when that cannot be told. */
  findCaller(request: FastifyRequest, workspaceId: string | null): Promise<Caller>
  /** Writes an audit entry, in the transaction of the change. */
  recordChange(tx: Tx, change: Change): Promise<void>
}

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyInstance {
    hooks: HttpHooks
  }
}
