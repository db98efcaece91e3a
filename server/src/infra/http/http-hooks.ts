import type { PostingLimits } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/db.ts'
import type { Membership } from './principal.ts'

/** The person or API key that sent a request, and their role in the workspace that the request names. */
export type Caller = {
  personId: string
  /** The id of the API key, or of the grant of a program. */
  apiKeyId: string | null
  keyWorkspaceId: string | null
  workspaceOnly: boolean
  scopes: string[] | null
  /** Null for a session, and for a key that never expires. */
  expiresAt: Date | null
  /** Null for a session, and for a key without them. */
  posting: PostingLimits | null
  isAgent: boolean
  membership: Membership | null
}

/** One entry of the audit log. */
export type Change = {
  action: string
  subjectId: string | null
  /** `personId` is null for what a platform asked for. */
  by: { workspaceId: string; personId: string | null; apiKeyId: string | null }
  nowMs: number
  traceId: string
  /** A change that a program saved while a person was writing. The log does not need an entry for each of them. */
  isAutosave?: boolean
}

/** `cell` is null while the workspace is on its way. `id` is null if the request did not name it and it was found by a key or an invitation. */
export type MovedWorkspace = { cell: number | null; id: string | null }

/** The functions of features that every request needs. `commands/` passes them in, so that this folder imports no feature. */
export type HttpHooks = {
  /** The key or session that a request presents, not yet checked. Null when it presents none. */
  claimedIdentity(request: FastifyRequest): string | null
  /** The caller; throws a problem if the key or session is missing or not valid. */
  findCaller(request: FastifyRequest, workspaceId: string | null): Promise<Caller>
  /** The `WWW-Authenticate` header of a refused request, which tells a program without an API key where it can get access. */
  challenge(request: FastifyRequest): string | null
  /** Where the workspace of a refused request is, if it is not in this cell. */
  findMoved(request: FastifyRequest): Promise<MovedWorkspace | null>
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
