import type { Context } from '../../context.ts'
import { verifySessionCookie } from './session-cookie.ts'
import { findSession, type SessionHolder } from './session.store.ts'

/**
 * Who is signed in, and what they are in the workspace. It is read anew for every request: signing out, a new role or the end of a
 * membership holds from the next one on.
 */
export async function findSessionHolder(
  ctx: Context,
  cookie: string,
  workspaceId: string | null,
): Promise<SessionHolder | undefined> {
  const token = verifySessionCookie(ctx.config, cookie)
  return token === null ? undefined : findSession(ctx.db.system, { token, workspaceId, now: new Date(ctx.nowMs()) })
}
