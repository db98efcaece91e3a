import type { Connection } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordChange } from '../../audit/record-change.ts'
import { findMembership } from '../../members/find-membership.ts'
import { findConnection, updateConnection } from '../connection.store.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { describeConnection } from '../present-connection.ts'
import { linkAccount, openAccount } from './link-account.ts'
import { lockAttempt, updateAttempt, type AttemptKey } from './connect-flow.store.ts'
import type { LoadedAttempt } from './load-attempt.ts'

type Confirmation = LoadedAttempt & { traceId: string; hooks: ConnectionHooks }

/** Stores the account as a connection of the workspace. Confirming twice gives the same connection. */
export async function confirmConnect(ctx: Context, { flow, personId, traceId, hooks }: Confirmation): Promise<Connection> {
  const key = { workspaceId: flow.workspace_id, attemptId: flow.attempt_id ?? '' }
  const { workspaceId } = key
  const connection = await ctx.db.tenant(workspaceId, async (tx) => {
    const attempt = await lockAttempt(tx, key, new Date(ctx.nowMs()))
    if (!attempt) throw problem('attempt_not_found')
    if (attempt.state === 'connected') return findConnected(ctx, tx, key, attempt.connected_id)
    if (attempt.state !== 'confirm' || !attempt.account_sealed) throw problem('connect_expired')
    await guardAdmins(tx, workspaceId, [personId, attempt.person_id])
    const verified = openAccount(ctx, key, attempt, attempt.account_sealed)
    const row = await linkAccount(ctx, tx, { workspaceId, connectionId: attempt.connection_id, hooks }, verified)
    await updateConnection(tx, { workspaceId, id: row.id }, { client_id: attempt.client_id, own_app: attempt.own_app })
    await updateAttempt(tx, key, { state: 'connected', account_sealed: null, connected_id: row.id })
    const by = { workspaceId, personId, apiKeyId: null }
    await recordChange(tx, { action: 'connection.connect', subjectId: row.id, by, nowMs: ctx.nowMs(), traceId })
    return describeConnection({ ctx, tx, nowMs: ctx.nowMs() }, row)
  })
  ctx.engine.wakeWorkers()
  return connection
}

/** Both the person who confirms and the person who started may have lost their role since then. */
async function guardAdmins(tx: Tx, workspaceId: string, personIds: readonly string[]): Promise<void> {
  for (const personId of personIds) {
    const membership = await findMembership(tx, workspaceId, personId)
    if (!membership || !roleAllows(membership.role, 'admin')) throw problem('role_forbidden')
  }
}

async function findConnected(ctx: Context, tx: Tx, { workspaceId }: AttemptKey, id: string | null): Promise<Connection> {
  const row = id === null ? undefined : await findConnection(tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  return describeConnection({ ctx, tx, nowMs: ctx.nowMs() }, row)
}
