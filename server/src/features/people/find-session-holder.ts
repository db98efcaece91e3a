import type { Context } from '../../context.ts'
import { verifyCookie } from './cookies/signed-cookie.ts'
import { findSession, type SessionHolder } from './session.store.ts'

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
