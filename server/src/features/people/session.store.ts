import { sql } from 'kysely'
import { isClosing } from '../../infra/cell/leaving-workspace.store.ts'
import type { Db } from '../../infra/db/db.ts'
import type { Membership } from '../../infra/http/principal.ts'

export type SessionHolder = { personId: string; membership: Membership | null }

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
    .leftJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'member.workspace_id').on(({ not }) => not(isClosing('member.workspace_id'))),
    )
    .where('session.token', '=', token)
    .where('session.expires_at', '>', now)
    .select(['session.person_id', 'member.role', 'workspace.plan', 'workspace.approval'])
    .executeTakeFirst()
  if (!row) return undefined
  const { person_id: personId, role, plan, approval } = row
  return { personId, membership: role && plan && approval ? { role, plan, approval } : null }
}

type SessionUse = { token: string; workspaceId: string }

/** Those of the given sessions that have not ended and whose person is a member of the workspace. */
export async function findValidSessions(system: Db, uses: readonly SessionUse[], now: Date): Promise<SessionUse[]> {
  if (uses.length === 0) return []
  const { rows } = await sql<SessionUse>`
    select distinct t.token, t.workspace_id as "workspaceId"
    from unnest(${uses.map(({ token }) => token)}::text[], ${uses.map(({ workspaceId }) => workspaceId)}::text[])
      as t (token, workspace_id)
    join session s on s.token = t.token and s.expires_at > ${now}
    join member m on m.workspace_id = t.workspace_id and m.person_id = s.person_id`.execute(system)
  return rows
}
