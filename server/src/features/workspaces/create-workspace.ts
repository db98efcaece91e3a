import type { Workspace } from '@carillon/contract'
import { isTimezone } from '@carillon/core'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { newId } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { guardOwnedWorkspaces } from '../members/guard-owned-workspaces.ts'
import { presentWorkspace } from './present-workspace.ts'
import { insertWorkspace, type WorkspaceRow } from './workspace.store.ts'

/** Creates a workspace; the caller becomes its owner. */
export async function createWorkspace(
  scope: RequestScope,
  { name, timezone = 'UTC' }: { name: string; timezone?: string },
): Promise<Answer<Workspace>> {
  checkTimezone(timezone)
  const { ctx, tx, principal } = scope
  await guardOwnedWorkspaces(ctx, { tx, system: tx, personId: principal.personId, isCaller: true })
  const row = buildWorkspaceRow({ name, timezone, plan: ctx.config.plan, nowMs: scope.nowMs })
  await insertWorkspace(tx, row, principal.personId)
  return new Answer(await presentWorkspace(scope, row, 'owner'), { subjectId: row.id })
}

export function checkTimezone(timezone: string): void {
  if (!isTimezone(timezone))
    throw problem('request_invalid', { details: [{ path: 'timezone', message: `"${timezone}" is not an IANA time zone.` }] })
}

export function buildWorkspaceRow({
  name,
  timezone,
  plan,
  nowMs,
}: {
  name: string
  timezone: string
  plan: WorkspaceRow['plan']
  nowMs: number
}): WorkspaceRow {
  const at = new Date(nowMs)
  const slug =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'workspace'
  return { id: newId(nowMs), name, slug, plan, timezone, hold_if_late_minutes: null, created_at: at, updated_at: at }
}
