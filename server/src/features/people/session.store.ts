import type { Plan, Role } from '@carillon/contract'
import type { Db } from '../../infra/db/db.ts'

export type SessionHolder = { personId: string; membership: { role: Role; plan: Plan } | null }

/** Not limited to a workspace: the caller's workspaces are known only after the session was found. */
export async function findSession(
  system: Db,
  { token, workspaceId, now }: { token: string; workspaceId: string | null; now: Date },
): Promise<SessionHolder | undefined> {
  const row = await system
    .selectFrom('session')
    .leftJoin('member', (join) =>
      join.onRef('member.person_id', '=', 'session.person_id').on('member.workspace_id', '=', workspaceId ?? ''),
    )
    .leftJoin('workspace', 'workspace.id', 'member.workspace_id')
    .where('session.token', '=', token)
    .where('session.expires_at', '>', now)
    .select(['session.person_id', 'member.role', 'workspace.plan'])
    .executeTakeFirst()
  if (!row) return undefined
  return { personId: row.person_id, membership: row.role && row.plan ? { role: row.role, plan: row.plan } : null }
}
