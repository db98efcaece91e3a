import type { BodyOf, Workspace, workspaces } from '@carillon/contract'
import { isTimezone } from '@carillon/core'
import { storedRule } from '../../infra/http/principal.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { countCreatedWorkspace } from '../api-keys/api-key.store.ts'
import { guardOwnedWorkspaces } from '../members/find-membership.ts'
import { presentWorkspace } from './present-workspace.ts'
import { insertWorkspace, lockExternalId, ownsExternalId, type WorkspaceRow } from './workspace.store.ts'

/** Creates a workspace; the caller becomes its owner. */
export async function createWorkspace(
  scope: RequestScope,
  { name, timezone = 'UTC', externalId, metadata = {} }: BodyOf<typeof workspaces.create>,
): Promise<Answer<Workspace>> {
  checkTimezone(timezone)
  const { ctx, tx, principal } = scope
  await countForKey(scope)
  await guardOwnedWorkspaces(ctx, { tx, system: tx, personId: principal.personId, isCaller: true })
  const made = buildWorkspaceRow({ name, timezone, plan: ctx.config.plan, nowMs: scope.nowMs })
  const row = { ...made, external_id: externalId ?? null, metadata }
  if (externalId !== undefined)
    await guardExternalId({ tx, system: tx, personId: principal.personId, externalId, exceptId: row.id })
  await insertWorkspace(tx, row, principal.personId)
  return new Answer(await presentWorkspace(scope, row, 'owner'), { subjectId: row.id })
}

/** A number of workspaces that its maker gave the key. In the transaction, so that a refused request uses up nothing. */
async function countForKey({ tx, principal: { apiKeyId, keyWorkspaceId } }: RequestScope): Promise<void> {
  if (apiKeyId === null || keyWorkspaceId === null) return
  if ((await countCreatedWorkspace(tx, { workspaceId: keyWorkspaceId, id: apiKeyId })) === null)
    throw problem('quota_reached', {
      message: 'This API key has created as many workspaces as it may. Make another key, with a higher number.',
    })
}

type WantedId = { tx: Tx; system: Db | Tx; personId: string; externalId: string; exceptId: string }

/**
 * An id is taken if the caller owns another workspace with it. Workspaces of others are not compared: the answer would tell the ids of
 * people who have nothing to do with the caller.
 */
export async function guardExternalId({ tx, system, ...wanted }: WantedId): Promise<void> {
  await lockExternalId(tx, wanted.externalId)
  if (await ownsExternalId(system, wanted)) throw problem('external_id_taken')
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
  return {
    id: newId(nowMs),
    name,
    slug,
    plan,
    timezone,
    hold_if_late_minutes: null,
    ...storedRule('agents'),
    return_origins: [],
    utm: null,
    created_at: at,
    updated_at: at,
    external_id: null,
    metadata: {},
  }
}
