import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { bindCookies, verifyCookie } from './cookies/session-cookie.ts'
import { authInstances } from './create-auth-instances.ts'
import { addressHeader } from './create-auth.ts'
import { type SessionHolder, findSession, findValidSessions } from './session.store.ts'

/**
 * The person who is signed in, and their role in the workspace. It is read for every request and never cached, so that signing out, a new
 * role or the end of a membership takes effect with the next request.
 */
export async function findSessionHolder(
  ctx: Context,
  cookie: string,
  workspaceId: string | null,
): Promise<SessionHolder | undefined> {
  const token = verifyCookie(ctx.config, 'session_token', cookie)
  return token === null ? undefined : findSession(ctx.db.system, { token, workspaceId, now: new Date(ctx.nowMs()) })
}

/** Signs in with a password that was set a moment ago, and adds the session cookie to the answer. */
export async function openSession(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  credentials: { email: string; password: string },
): Promise<void> {
  const headers = new Headers({ [addressHeader]: request.ip, origin: new URL(ctx.config.publicUrl).origin })
  const { 'user-agent': userAgent } = request.headers
  if (userAgent !== undefined) headers.set('user-agent', userAgent)
  const { api } = authInstances(ctx).current()
  const response = await api.signInEmail({ body: { ...credentials, rememberMe: true }, headers, asResponse: true })
  if (!response.ok) throw problem('internal_error', { cause: new Error(await response.text()) })
  for (const cookie of bindCookies(ctx.config, response).headers.getSetCookie()) void reply.header('set-cookie', cookie)
}

type SessionUse = { token: string; workspaceId: string }

/** Tells which of these sessions still exist and belong to a member of their workspace. One query for all of them. */
export async function listValidSessions(ctx: Context, uses: readonly SessionUse[]): Promise<(use: SessionUse) => boolean> {
  const keyOf = ({ token, workspaceId }: SessionUse) => `${workspaceId} ${token}`
  const valid = new Set((await findValidSessions(ctx.db.system, uses, new Date(ctx.nowMs()))).map(keyOf))
  return (use) => valid.has(keyOf(use))
}
