import { createHmac } from 'node:crypto'
import type { Connector, Notice } from '@carillon/connectors'
import { isPlatform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordChange } from '../../audit/record-change.ts'
import { readPlatformApps, toUsable } from '../apps/platform-apps.ts'
import { missingAppMessage } from '../connect/connect-method.ts'
import { deleteConnection, markDisconnected } from '../connection.store.ts'
import { type ConnectionHooks, requestReconnect } from '../disconnect.ts'
import { completeDeletion, findByAppUser, startDeletion, type NamedConnection } from './notice.store.ts'

/** A platform repeats a request that failed, but not for days. An older one is somebody's copy. */
const noticeMsMax = 24 * 3_600_000
/** How far the clock of a platform may be from ours. */
const clockMs = 60_000

export type ReceivedNotice = Notice & { connector: Connector; traceId: string; code: string }

type Sent = { platform: string; form: Readonly<Record<string, string>>; traceId: string }

/** Checks who sent a notice, and when. An app that was replaced still has users, so its notices count as well. */
export async function receiveNotice(ctx: Context, { platform, form, traceId }: Sent): Promise<ReceivedNotice> {
  if (!isPlatform(platform)) throw problem('platform_not_found')
  const connector = ctx.connectors[platform]
  const { readNotice } = connector
  if (!readNotice) throw problem('route_not_found')
  const apps = (await readPlatformApps(ctx, platform)).map(toUsable)
  if (apps.length === 0) throw problem('platform_not_configured', { message: missingAppMessage(platform) })
  const [signed] = apps.flatMap((app) => {
    const notice = readNotice(form, app)
    return notice === null ? [] : [{ app, notice }]
  })
  if (!signed) throw refusal('Must be signed with the secret of the app.')
  const { app, notice } = signed
  const ageMs = ctx.nowMs() - notice.issuedAtMs
  if (ageMs > noticeMsMax || ageMs < -clockMs) throw refusal('Must be signed within the last day.')
  const code = createHmac('sha256', app.clientSecret)
    .update(`data deletion of ${platform} ${notice.userId}`)
    .digest('hex')
    .slice(0, 24)
  return { ...notice, connector, traceId, code }
}

function refusal(message: string) {
  return problem('request_invalid', { details: [{ path: 'body', message }] })
}

/** The person removed the app on the platform: in every workspace, their account has to be connected again before it can publish. */
export async function deauthorize(ctx: Context, notice: ReceivedNotice): Promise<void> {
  const reason = `The permission was removed in the settings of ${notice.connector.manifest.name}.`
  for (const { workspaceId, id, tokenRenewedAt } of await findNamed(ctx, notice))
    await requestReconnect(
      ctx,
      { workspaceId, id, tokenRenewedAtMs: tokenRenewedAt.getTime() },
      { reason, code: 'token_refused' },
      (tx) => recordNotice(ctx, tx, { action: 'connection.deauthorize', workspaceId, id, traceId: notice.traceId }),
    )
}

export type DeletionHooks = Pick<ConnectionHooks, 'beforeRemoval'> & {
  /** Removes our copy of the account's picture. */
  removeFile(tx: Tx, file: { workspaceId: string; key: string }): Promise<void>
}

/** Deletes the tokens of the person's account and what is known about it, in every workspace. Posts belong to the workspace and stay. */
export async function deleteData(ctx: Context, notice: ReceivedNotice, hooks: DeletionHooks): Promise<void> {
  const { connector, code, traceId } = notice
  await startDeletion(ctx.db.system, { code, platform: connector.manifest.platform, at: new Date(ctx.nowMs()) })
  const connections = await findNamed(ctx, notice)
  for (const connection of connections) await deleteNamed(ctx, connection, { traceId, hooks })
  await completeDeletion(ctx.db.system, { code, accounts: connections.length, at: new Date(ctx.nowMs()) })
}

async function deleteNamed(
  ctx: Context,
  { workspaceId, id, avatarKey }: NamedConnection,
  { traceId, hooks }: { traceId: string; hooks: DeletionHooks },
): Promise<void> {
  await ctx.db.tenant(workspaceId, async (tx) => {
    const nowMs = ctx.nowMs()
    if (avatarKey !== null) await hooks.removeFile(tx, { workspaceId, key: avatarKey })
    // One that was disconnected before has nothing scheduled and its own entry in the log.
    if (await markDisconnected(tx, { workspaceId, id }, new Date(nowMs))) {
      await hooks.beforeRemoval({ tx, nowMs, principal: { workspaceId } }, id)
      await recordNotice(ctx, tx, { action: 'connection.delete_data', workspaceId, id, traceId })
    }
    await deleteConnection(tx, workspaceId, id)
  })
}

/** A person who connected the account again afterwards has given a new permission: the notice is not about that one. */
function findNamed(ctx: Context, { connector, userId, issuedAtMs }: ReceivedNotice): Promise<NamedConnection[]> {
  const { platform } = connector.manifest
  return findByAppUser(ctx.db.system, { platform, userId, before: new Date(issuedAtMs + clockMs) })
}

type Recorded = { action: string; workspaceId: string; id: string; traceId: string }

/** No person of the workspace did it, so the entry has none. */
function recordNotice({ nowMs }: Context, tx: Tx, { action, workspaceId, id, traceId }: Recorded): Promise<void> {
  const by = { workspaceId, personId: null, apiKeyId: null }
  return recordChange(tx, { action, subjectId: id, by, nowMs: nowMs(), traceId })
}
