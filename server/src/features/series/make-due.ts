import { roleAllows } from '@carillon/core'
import type { Context } from '../../context.ts'
import { readCell } from '../../infra/cell/cell.store.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { commitThenRun } from '../../infra/http/commit-then-run.ts'
import { type Principal, ruleOf } from '../../infra/http/principal.ts'
import { findKeyHolderById } from '../api-keys/find-key-holder.ts'
import { findMembership } from '../members/find-membership.ts'
import { findWorkspace } from '../workspaces/workspace.store.ts'
import { fillSeries, type Refusal } from './fill-series.ts'
import { findSeries, listDueSeries, updateSeries, type SeriesRow } from './series.store.ts'

const pageMax = 50
/** After a failure that is none of the series' own. */
const failedMs = 5 * 60_000

type DueSeries = Pick<SeriesRow, 'workspace_id' | 'id' | 'person_id' | 'api_key_id'>

/** Makes the next posts of all series whose turn it is, each in a transaction of its own. Returns whether there may be more. */
export async function makeSeriesPosts(ctx: Context): Promise<boolean> {
  const due = await listDueSeries(ctx.db.system, new Date(ctx.nowMs()), pageMax)
  for (const series of due) {
    try {
      await makePostsOf(ctx, series)
    } catch (err) {
      ctx.log.error({ err, series: series.id }, 'the posts of a series could not be made; it is tried again')
      const key = { workspaceId: series.workspace_id, id: series.id }
      await updateSeries(ctx.db.system, key, { look_at: new Date(ctx.nowMs() + failedMs) })
    }
  }
  return due.length === pageMax
}

async function makePostsOf(ctx: Context, { workspace_id: workspaceId, id, ...maker }: DueSeries): Promise<void> {
  const { principal, refusal } = await findMaker(ctx, workspaceId, maker)
  const { lostFrom, lostUntil } = await readCell(ctx.db.system)
  const traceId = newUuid()
  const transact = (run: (tx: Tx) => Promise<void>) => ctx.db.tenant(workspaceId, run)
  await commitThenRun({ ctx, traceId }, transact, async (tx, afterCommit) => {
    const nowMs = ctx.nowMs()
    // Another worker, or a person who changes the series, is at it: they also say when to look again.
    const series = await findSeries(tx, { workspaceId, id }, 'skip')
    if (!series || series.look_at === null || series.look_at.getTime() > nowMs) return
    if (series.person_id !== maker.person_id || series.api_key_id !== maker.api_key_id) return
    const holdMinutes = (await findWorkspace(tx, workspaceId))?.hold_if_late_minutes ?? null
    const mayBeLate = (atMs: number) =>
      (holdMinutes === null || nowMs - atMs <= holdMinutes * 60_000) &&
      // A database that was restored does not know what went out in the time that it lost.
      !(lostFrom && lostUntil && atMs >= lostFrom.getTime() && atMs <= lostUntil.getTime())
    await fillSeries({ ctx, tx, principal, nowMs, traceId, ifMatch: null, afterCommit }, series, { refusal, mayBeLate })
  })
}

/** Who answers for the posts of the series, with the rights that they have now. */
async function findMaker(
  ctx: Context,
  workspaceId: string,
  { person_id: personId, api_key_id: apiKeyId }: Omit<DueSeries, 'workspace_id' | 'id'>,
): Promise<{ principal: Principal; refusal: Refusal | null }> {
  const key = apiKeyId === null ? null : await findKeyHolderById(ctx, apiKeyId, workspaceId)
  const [member, workspace] = await Promise.all([
    findMembership(ctx.db.system, workspaceId, personId),
    findWorkspace(ctx.db.system, workspaceId),
  ])
  const principal: Principal = {
    personId,
    apiKeyId,
    keyWorkspaceId: key?.keyWorkspaceId ?? null,
    limits: {
      scopes: key?.scopes ?? null,
      workspaceOnly: key?.workspaceOnly ?? false,
      expiresAt: key?.expiresAt ?? null,
      posting: key?.posting ?? null,
      isAgent: key?.isAgent ?? apiKeyId !== null,
    },
    workspaceId,
    role: member?.role ?? 'viewer',
    plan: workspace?.plan ?? 'free',
    approval: workspace ? ruleOf(workspace) : 'everyone',
  }
  const isKeyGone = apiKeyId !== null && (!key || (key.workspaceOnly && key.keyWorkspaceId !== workspaceId))
  if (isKeyGone)
    return {
      principal,
      refusal: { code: 'api_key_invalid', message: 'The API key that made this series does not exist any more.' },
    }
  if (!member || !roleAllows(member.role, 'editor'))
    return {
      principal,
      refusal: {
        code: 'role_forbidden',
        message:
          'Whoever changed this series last may not publish here any more. Another member takes it over by pausing and resuming it.',
      },
    }
  return { principal, refusal: null }
}
