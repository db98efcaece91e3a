import type { Endpoint, Scope } from '@carillon/contract'
import { callerHasScope, roleAllows } from '@carillon/core'
import type { FastifyRequest } from 'fastify'
import { type Problem, problem } from '../problem/problem.ts'
import type { HttpHooks } from './http-hooks.ts'
import type { Principal } from './principal.ts'

/** Finds the caller and checks their permissions. Refuses with 401, 400, 404 or 403, checked in this order. */
export async function authenticate(hooks: HttpHooks, endpoint: Endpoint, request: FastifyRequest): Promise<Principal> {
  const requestedId = workspaceOf(endpoint, request)
  const caller = await hooks.findCaller(request, requestedId)
  if (endpoint.workspace === 'header' && !requestedId) throw problem('workspace_header_missing')

  const workspaceId = requestedId ?? caller.keyWorkspaceId ?? ''
  if (endpoint.workspace !== 'none' && !caller.membership) throw problem('workspace_not_found')
  if (endpoint.workspace !== 'none' && caller.workspaceOnly && workspaceId !== caller.keyWorkspaceId)
    throw problem('workspace_not_found')
  if (!callerHasScope(caller, endpoint.scope)) throw missingScope(endpoint.scope)

  // A key that is limited to one workspace cannot use endpoints that belong to no workspace and are about all of them.
  if (endpoint.workspace === 'none' && caller.workspaceOnly && /^(workspaces|webhooks):/.test(endpoint.scope))
    throw problem('scope_missing', { message: 'This API key works only inside its own workspace.' })

  const membership = caller.membership ?? { role: 'viewer', plan: 'free', approval: 'none' }
  const { role } = membership
  if (!roleAllows(role, endpoint.role))
    throw problem('role_forbidden', { message: `This needs the role ${endpoint.role}; yours here is ${role}.` })
  const { personId, apiKeyId, keyWorkspaceId, scopes, workspaceOnly, expiresAt, posting, isAgent } = caller
  const limits = { scopes, workspaceOnly, expiresAt, posting, isAgent }
  return { personId, apiKeyId, keyWorkspaceId, limits, workspaceId, ...membership }
}

/** The error for a key without this scope. Most people know the wide scope that includes it. */
export function missingScope(needed: Scope): Problem {
  const isNarrow = needed === 'content:draft' || needed === 'content:publish'
  const also = isNarrow ? ', which content:write includes' : needed === 'content:approve' ? ', which no other includes' : ''
  return problem('scope_missing', { message: `This API key was made without the scope ${needed}${also}.` })
}

function workspaceOf(endpoint: Endpoint, request: FastifyRequest): string | null {
  if (endpoint.workspace === 'none') return null
  if (endpoint.workspace === 'header') {
    const header = request.headers['x-workspace-id']
    return typeof header === 'string' && header !== '' ? header : null
  }
  const { id } = request.params as { id: string }
  return id
}

const scheme = /^bearer +(\S+)$/i
const keyLengthMax = 200

/** The key of an `Authorization` header of the form `Bearer <key>`; null for any other header, also if something follows the key. */
export function readBearerKey(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > keyLengthMax) return null
  return scheme.exec(authorization)?.[1] ?? null
}
