import { PlatformError } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { findConnection, type ConnectionRow } from '../connection.store.ts'
import { connectorOf } from '../connector-of.ts'
import { renewJob, type ConnectionKey } from '../jobs.ts'
import { openClient } from '../open-client.ts'
import { claimQuestion, saveCapabilities } from './capability.store.ts'

/** After a question without an answer, the platform is left alone for this time. */
const askAgainMs = 10_000

/** A token that ends within this time is renewed first. */
const tokenLeftMsMin = 5_000

/** Asks the platform what the account may do, and stores the answer. Nothing depends on it: a failure is only logged. */
export async function learnCapabilities(ctx: Context, key: ConnectionKey): Promise<void> {
  try {
    const row = await loadForQuestion(ctx, key)
    if (!row) return
    const { connector, client } = openClient(ctx, row)
    const capabilities = await connector.capabilities?.read(client)
    if (!capabilities) return
    const at = new Date(ctx.nowMs())
    await ctx.db.tenant(key.workspaceId, (tx) =>
      saveCapabilities(tx, { ...key, accountId: row.account_id }, { capabilities, at }),
    )
  } catch (err) {
    const level = err instanceof PlatformError ? 'info' : 'warn'
    ctx.log[level]({ err, connection: key.id }, 'what the account may do could not be learned')
  }
}

/** The connection, if it can be asked about and nobody did so just now. */
async function loadForQuestion(ctx: Context, key: ConnectionKey): Promise<ConnectionRow | null> {
  const nowMs = ctx.nowMs()
  const row = await ctx.db.tenant(key.workspaceId, async (tx) => {
    const found = await findConnection(tx, key.workspaceId, key.id)
    if (!found || found.status === 'needs_reconnect' || !connectorOf(ctx, found.platform).capabilities) return null
    const times = { at: new Date(nowMs), before: new Date(nowMs - askAgainMs) }
    return (await claimQuestion(tx, key, times)) ? found : null
  })
  if (!row || (row.token_expires_at?.getTime() ?? Infinity) - nowMs > tokenLeftMsMin) return row
  return renewFirst(ctx, key, row)
}

/** Only the engine renews tokens, one run at a time for each connection. */
async function renewFirst(ctx: Context, key: ConnectionKey, row: ConnectionRow): Promise<ConnectionRow | null> {
  const seenAtMs = row.token_renewed_at.getTime()
  const job = renewJob(key, seenAtMs)
  const idempotencyKey = `capabilities ${key.id} ${seenAtMs} ${row.capabilities_asked_at?.getTime() ?? 0}`
  await ctx.engine.send(job, idempotencyKey)
  await ctx.engine.waitFor(job, idempotencyKey)
  const renewed = await ctx.db.readOnly(key.workspaceId, (tx) => findConnection(tx, key.workspaceId, key.id))
  return renewed && renewed.token_renewed_at.getTime() > seenAtMs ? renewed : null
}
