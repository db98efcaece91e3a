import type { Plan, Role, Workspace } from '@carillon/contract'
import type { Config } from '../../config.ts'
import { externalFields } from '../../infra/db/external-columns.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { currentUsage } from './count-usage.ts'
import type { WorkspaceRow } from './workspace.store.ts'

export async function presentWorkspace(
  scope: Pick<RequestScope, 'ctx' | 'tx' | 'nowMs'>,
  row: WorkspaceRow,
  role: Role,
): Promise<Workspace> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    hasPlans: hasPlans(scope.ctx.config, row.plan),
    timezone: row.timezone,
    holdIfLateMinutes: row.hold_if_late_minutes,
    approval: row.approval,
    role,
    createdAt: row.created_at.toISOString(),
    usage: await currentUsage(scope, row.id, row.plan),
    ...externalFields(row),
  }
}

/** Without plans every workspace has the largest one, and nobody needs to hear of it. One that has a smaller one must find the way back. */
function hasPlans({ plan, planChanges }: Pick<Config, 'plan' | 'planChanges'>, own: Plan): boolean {
  return plan !== 'business' || planChanges === 'operator' || own !== 'business'
}
