import type { BodyOf, Workspace, workspaces } from '@carillon/contract'
import { callerHasScope } from '@carillon/core'
import { externalColumns } from '../../infra/db/external-columns.ts'
import { missingScope } from '../../infra/http/authenticate.ts'
import { storedRule } from '../../infra/http/principal.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { checkTimezone, guardExternalId } from './create-workspace.ts'
import { presentWorkspace } from './present-workspace.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { readLinkRule } from './link-rule.ts'
import { readReturnOrigins } from './return-origins.ts'
import { updateWorkspace } from './workspace.store.ts'

export async function changeWorkspace(
  scope: RequestScope,
  { name, timezone, holdIfLateMinutes, approval, plan, returnOrigins, utm, ...external }: BodyOf<typeof workspaces.update>,
): Promise<Workspace> {
  const { ctx, tx, principal, nowMs, afterCommit } = scope
  if (plan !== undefined && principal.role !== 'owner')
    throw problem('role_forbidden', { message: `Only an owner can change the plan; your role here is ${principal.role}.` })
  if (plan !== undefined && ctx.config.planChanges === 'operator') throw problem('plan_fixed')
  // Otherwise a program that may manage the workspace would switch off what it is held to.
  if (
    approval !== undefined &&
    !callerHasScope({ apiKeyId: principal.apiKeyId, scopes: principal.limits.scopes }, 'content:approve')
  )
    throw missingScope('content:approve')
  if (timezone !== undefined) checkTimezone(timezone)
  if (external.externalId !== undefined) await guardNewId(scope, external.externalId)
  const row = await updateWorkspace(tx, principal.workspaceId, {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(holdIfLateMinutes !== undefined && { hold_if_late_minutes: holdIfLateMinutes }),
    ...(approval !== undefined && storedRule(approval)),
    ...(plan !== undefined && { plan }),
    ...(returnOrigins !== undefined && { return_origins: readReturnOrigins(returnOrigins) }),
    ...(utm !== undefined && { utm: utm && JSON.stringify(readLinkRule(utm)) }),
    ...externalColumns(external),
    updated_at: new Date(nowMs),
  })
  if (!row) throw problem('workspace_not_found')
  if (plan !== undefined || approval !== undefined) afterCommit(() => clearKeyCache(ctx))
  return presentWorkspace(scope, row, principal.role)
}

/** The answer tells whether the caller has another workspace with this id, so the caller must be one who may list them all. */
async function guardNewId({ ctx, tx, principal }: RequestScope, externalId: string | null): Promise<void> {
  const { personId, workspaceId, role, limits } = principal
  if (role !== 'owner')
    throw problem('role_forbidden', { message: `Only an owner can change the external id; your role here is ${role}.` })
  if (limits.workspaceOnly)
    throw problem('scope_missing', {
      message: 'This API key works only inside its own workspace and cannot change its external id.',
    })
  if (externalId !== null) await guardExternalId({ tx, system: ctx.db.system, personId, externalId, exceptId: workspaceId })
}
