import type { Grant } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import { isUuid } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { type ListedGrant, endGrant, listLiveGrants } from './grant.store.ts'
import { rightOf } from './rights.ts'

/** The programs that act for the caller here. Admins see those of all members, because they answer for the workspace. */
export async function listGrants({ tx, principal, nowMs }: RequestScope): Promise<Grant[]> {
  const { workspaceId } = principal
  return (await listLiveGrants(tx, workspaceId, { personId: ownOnly(principal), now: new Date(nowMs) })).map(presentGrant)
}

/** The program is refused from its next request on. */
export async function endOneGrant({ tx, principal, nowMs }: RequestScope, grantId: string): Promise<Answer<null>> {
  const { workspaceId } = principal
  const end = { at: new Date(nowMs), personId: ownOnly(principal) }
  if (!isUuid(grantId) || !(await endGrant(tx, { workspaceId, grantId }, end))) throw problem('grant_not_found')
  return new Answer(null, { subjectId: grantId })
}

function ownOnly({ personId, role }: RequestScope['principal']): string | null {
  return roleAllows(role, 'admin') ? null : personId
}

function presentGrant(row: ListedGrant): Grant {
  return {
    id: row.id,
    client: { name: row.client_name, host: row.client_host },
    rights: rightOf(row.scopes),
    scopes: row.scopes,
    user: row.name === null || row.email === null ? null : { userId: row.person_id, name: row.name, email: row.email },
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    until: (row.until ?? row.created_at).toISOString(),
  }
}
