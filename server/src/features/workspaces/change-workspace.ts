import type { BodyOf, Workspace, workspaces } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { checkTimezone } from './create-workspace.ts'
import { presentWorkspace } from './present-workspace.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { updateWorkspace } from './workspace.store.ts'

export async function changeWorkspace(
  scope: RequestScope,
  { name, timezone, holdIfLateMinutes, plan }: BodyOf<typeof workspaces.update>,
): Promise<Workspace> {
  const { ctx, tx, principal, nowMs, afterCommit } = scope
  if (plan !== undefined && principal.role !== 'owner')
    throw problem('role_forbidden', { message: `Only an owner can change the plan; your role here is ${principal.role}.` })
  if (timezone !== undefined) checkTimezone(timezone)
  const row = await updateWorkspace(tx, principal.workspaceId, {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(holdIfLateMinutes !== undefined && { hold_if_late_minutes: holdIfLateMinutes }),
    ...(plan !== undefined && { plan }),
    updated_at: new Date(nowMs),
  })
  if (!row) throw problem('workspace_not_found')
  if (plan !== undefined) afterCommit(() => clearKeyCache(ctx))
  return presentWorkspace(scope, row, principal.role)
}
