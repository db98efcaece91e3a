import type { Role, Workspace } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { currentUsage } from './count-usage.ts'
import type { WorkspaceRow } from './workspace.store.ts'

export async function presentWorkspace(
  scope: Pick<RequestScope, 'tx' | 'nowMs'>,
  row: WorkspaceRow,
  role: Role,
): Promise<Workspace> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    timezone: row.timezone,
    holdIfLateMinutes: row.hold_if_late_minutes,
    role,
    createdAt: row.created_at.toISOString(),
    usage: await currentUsage(scope, row.id, row.plan),
  }
}
