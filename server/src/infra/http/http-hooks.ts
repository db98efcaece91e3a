import type { Plan, Role } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/db.ts'

/** The person or API key that sent a request, and their role in the workspace that the request names. */
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

/** The functions of features that every request needs. `commands/` passes them in, so that this folder imports no feature. */
export type HttpHooks = {
  /** The key or session that a request presents, not yet checked; rate limits count by it. Null when it presents none. */
  claimedIdentity(request: FastifyRequest): string | null
  /** The caller; throws a problem if the key or session is missing or not valid. */
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
