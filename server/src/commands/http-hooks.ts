import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isWellFormedKey, keyHash } from '../features/api-keys/api-key.ts'
import { findKeyHolder } from '../features/api-keys/find-key-holder.ts'
import { recordChange } from '../features/audit/record-change.ts'
import { findGrantHolder, isAccessToken } from '../features/oauth/find-grant-holder.ts'
import { resourceNames } from '../features/oauth/rights.ts'
import { tokenHash } from '../features/invitations/present-invitation.ts'
import { sessionCookie } from '../features/people/cookies/session-cookie.ts'
import { findSessionHolder } from '../features/people/find-session-holder.ts'
import { type MoveState, findMove, findMoveOfSecret } from '../infra/cell/cell.store.ts'
import { isId } from '../infra/db/ids.ts'
import { readBearerKey } from '../infra/http/authenticate.ts'
import { guardOrigin } from '../infra/http/guard-origin.ts'
import type { Caller, HttpHooks, MovedWorkspace } from '../infra/http/http-hooks.ts'
import { problem } from '../infra/problem/problem.ts'

/** How callers are recognised (API key or session cookie) and where their changes are recorded. */
export function httpHooks(ctx: Context): HttpHooks {
  return {
    claimedIdentity: ({ headers }) =>
      headers.authorization === undefined ? sessionCookie(ctx.config, headers.cookie) : readBearerKey(headers.authorization),
    findCaller: (request, workspaceId) => findCaller(ctx, request, workspaceId),
    challenge: (request) => challengeFor(ctx, request),
    findMoved: (request) => findMovedWorkspace(ctx, request),
    recordChange,
  }
}

/** A session is narrowed by nothing. */
const ofSession = { workspaceOnly: false, scopes: null, expiresAt: null, posting: null, isAgent: false }

/** Uses the API key or the token of a program if one is sent, otherwise the session of the browser, which has all rights of the person. */
async function findCaller(ctx: Context, request: FastifyRequest, workspaceId: string | null): Promise<Caller> {
  const { authorization, cookie } = request.headers
  const session = authorization === undefined ? sessionCookie(ctx.config, cookie) : null
  if (session !== null) {
    guardOrigin(ctx.config, request)
    const holder = await findSessionHolder(ctx, session, workspaceId)
    if (!holder) throw problem('session_ended')
    return { ...holder, apiKeyId: null, keyWorkspaceId: null, ...ofSession }
  }
  const key = readBearerKey(authorization)
  if (key === null) throw problem('api_key_missing')
  if (isAccessToken(key)) {
    const grant = await findGrantHolder(ctx, key, { workspaceId, path: request.url })
    if (!grant) throw problem('access_token_invalid')
    return grant
  }
  const holder = await findKeyHolder(ctx, key, workspaceId)
  if (!holder) throw problem('api_key_invalid')
  return holder
}

/**
 * Where a program finds out how to get access (RFC 9728). Holders of an API key are not told: some clients would then ask for a sign-in
 * instead of reporting the wrong key. Nor are browsers, whose people sign in.
 */
function challengeFor({ config }: Context, { headers, url }: FastifyRequest): string | null {
  const [, first = ''] = url.split(/[/?]/, 2)
  const resource = resourceNames.find((name) => name === first)
  const sent = headers.authorization === undefined ? sessionCookie(config, headers.cookie) : readBearerKey(headers.authorization)
  if (!resource || (sent !== null && !isAccessToken(sent))) return null
  const error = sent === null ? '' : 'error="invalid_token", '
  return `Bearer ${error}resource_metadata="${config.publicUrl}/.well-known/oauth-protected-resource/${resource}"`
}

/** Where the workspace of a request is, if it is not in this cell: the workspace that it names, or else that of its key or invitation. */
async function findMovedWorkspace(ctx: Context, request: FastifyRequest): Promise<MovedWorkspace | null> {
  const named = namedWorkspace(request)
  const move = named === null ? await findBySecret(ctx, request) : await findById(ctx, named)
  if (!move) return null
  if (move.state === 'moved') return { cell: move.cell, id: named }
  return ['closing', 'parked', 'arriving'].includes(move.state) ? { cell: null, id: named } : null
}

function namedWorkspace({ headers, url }: FastifyRequest): string | null {
  const named = /^\/api\/workspaces\/([0-9a-f]{24})(?:[/?]|$)/.exec(url)?.[1] ?? headers['x-workspace-id']
  return typeof named === 'string' ? named : null
}

async function findById(ctx: Context, workspaceId: string): Promise<MoveState | undefined> {
  return isId(workspaceId) ? findMove(ctx.db.system, workspaceId) : undefined
}

async function findBySecret(ctx: Context, { headers, url }: FastifyRequest): Promise<MoveState | undefined> {
  const hash = secretHashOf(url, headers.authorization)
  return hash ? findMoveOfSecret(ctx.db.system, hash) : undefined
}

function secretHashOf(url: string, authorization: string | undefined): Buffer | null {
  const token = url.startsWith('/invitations/accept?') ? new URLSearchParams(url.slice(url.indexOf('?'))).get('token') : null
  if (token !== null) return tokenHash(token)
  const key = readBearerKey(authorization)
  return key !== null && isWellFormedKey(key) ? keyHash(key) : null
}
