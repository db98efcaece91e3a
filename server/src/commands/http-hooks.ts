import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findKeyHolder } from '../features/api-keys/find-key-holder.ts'
import { recordChange } from '../features/audit/record-change.ts'
import { findSessionHolder } from '../features/people/find-session-holder.ts'
import { sessionCookie } from '../features/people/cookies/session-cookie.ts'
import { findMovedWorkspace } from './find-moved-workspace.ts'
import { guardOrigin } from '../infra/http/guard-origin.ts'
import { readBearerKey } from '../infra/http/read-bearer-key.ts'
import type { Caller, HttpHooks } from '../infra/http/http-hooks.ts'
import { problem } from '../infra/problem/problem.ts'

/** How callers are recognised (API key or session cookie) and where their changes are recorded. */
export function httpHooks(ctx: Context): HttpHooks {
  return {
    claimedIdentity: ({ headers }) =>
      headers.authorization === undefined ? sessionCookie(ctx.config, headers.cookie) : readBearerKey(headers.authorization),
    findCaller: (request, workspaceId) => findCaller(ctx, request, workspaceId),
    findMoved: (request) => findMovedWorkspace(ctx, request),
    recordChange,
  }
}

/** Uses the API key if one is sent, otherwise the session of the browser, which has all rights of the person. */
async function findCaller(ctx: Context, request: FastifyRequest, workspaceId: string | null): Promise<Caller> {
  const { authorization, cookie } = request.headers
  const session = authorization === undefined ? sessionCookie(ctx.config, cookie) : null
  if (session !== null) {
    guardOrigin(ctx.config, request)
    const holder = await findSessionHolder(ctx, session, workspaceId)
    if (!holder) throw problem('session_ended')
    return { ...holder, apiKeyId: null, keyWorkspaceId: null, workspaceOnly: false, scopes: null, expiresAt: null, posting: null }
  }
  const key = readBearerKey(authorization)
  if (key === null) throw problem('api_key_missing')
  const holder = await findKeyHolder(ctx, key, workspaceId)
  if (!holder) throw problem('api_key_invalid')
  return holder
}
