import type { Endpoint, Plan, Role } from '@carillon/contract'
import { roleAllows, scopesAllow } from '@carillon/core'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findSessionHolder } from '../people/recognise-session.ts'
import { sessionCookie } from '../people/session-cookie.ts'
import { findKeyHolder } from '../workspaces/recognise-key.ts'
import { problem } from '../problem.ts'
import { guardOrigin } from './guard-origin.ts'
import type { Principal } from './principal.ts'

/** Who is asking, and may they? Answers 401, 400, 404 and 403, in this order; a change asked for by another site is refused before all. */
export async function authenticate(ctx: Context, endpoint: Endpoint, request: FastifyRequest): Promise<Principal> {
  const wanted = workspaceOf(endpoint, request)
  const holder = await findHolder(ctx, request, wanted)
  if (endpoint.workspace === 'header' && !wanted) throw problem('workspace_header_missing')

  const workspaceId = wanted ?? holder.keyWorkspaceId ?? ''
  if (endpoint.workspace !== 'none' && !holder.membership) throw problem('workspace_not_found')
  if (endpoint.workspace !== 'none' && holder.workspaceOnly && workspaceId !== holder.keyWorkspaceId)
    throw problem('workspace_not_found')
  if (!scopesAllow(holder.scopes, endpoint.scope))
    throw problem('scope_missing', { message: `This API key was made without the scope ${endpoint.scope}.` })

  // What lies above the workspaces is not for a key made for one of them.
  if (endpoint.workspace === 'none' && holder.workspaceOnly && endpoint.scope.startsWith('workspaces:'))
    throw problem('scope_missing', { message: 'This API key works only inside its own workspace.' })

  const { role, plan } = holder.membership ?? { role: 'viewer', plan: 'free' }
  if (!roleAllows(role, endpoint.role))
    throw problem('role_forbidden', { message: `This needs the role ${endpoint.role}; yours here is ${role}.` })
  return { personId: holder.personId, apiKeyId: holder.apiKeyId, keyWorkspaceId: holder.keyWorkspaceId, workspaceId, role, plan }
}

type Holder = {
  personId: string
  apiKeyId: string | null
  keyWorkspaceId: string | null
  workspaceOnly: boolean
  scopes: string[] | null
  membership: { role: Role; plan: Plan } | null
}

/** By key where one is sent, else by the session of a browser, which may do whatever the person may. */
async function findHolder(ctx: Context, request: FastifyRequest, workspaceId: string | null): Promise<Holder> {
  const { authorization, cookie } = request.headers
  const session = authorization === undefined ? sessionCookie(ctx.config, cookie) : null
  if (session !== null) {
    guardOrigin(ctx.config, request)
    const holder = await findSessionHolder(ctx, session, workspaceId)
    if (!holder) throw problem('session_ended')
    return { ...holder, apiKeyId: null, keyWorkspaceId: null, workspaceOnly: false, scopes: null }
  }
  const [word, key] = (authorization ?? '').split(' ')
  if (word !== 'Bearer' || !key) throw problem('api_key_missing')
  const holder = await findKeyHolder(ctx, key, workspaceId)
  if (!holder) throw problem('api_key_invalid')
  return holder
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
