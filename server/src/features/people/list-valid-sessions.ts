import type { Context } from '../../context.ts'
import { findValidSessions } from './session.store.ts'

type SessionUse = { token: string; workspaceId: string }

/** Tells which of these sessions still exist and belong to a member of their workspace. One query for all of them. */
export async function listValidSessions(ctx: Context, uses: readonly SessionUse[]): Promise<(use: SessionUse) => boolean> {
  const keyOf = ({ token, workspaceId }: SessionUse) => `${workspaceId} ${token}`
  const valid = new Set((await findValidSessions(ctx.db.system, uses, new Date(ctx.nowMs()))).map(keyOf))
  return (use) => valid.has(keyOf(use))
}
