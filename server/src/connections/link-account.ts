import type { Account, Connector, Credentials } from '@carillon/connectors'
import { connectionSlug } from '@carillon/core'
import type { Context } from '../context.ts'
import type { StoredTarget } from '../db/tables.ts'
import type { Tx } from '../db/db.ts'
import { newId } from '../ids.ts'
import { problem } from '../problem.ts'
import { connectionRow } from './connection-row.ts'
import {
  findByAccount,
  findConnection,
  insertConnections,
  lockConnecting,
  takenSlugs,
  updateConnection,
  type ConnectionRow,
} from './connection.store.ts'
import { openHttp } from './open-client.ts'
import { sealCredentials } from './seal-credentials.ts'
import { findTargets, spokenFor, targetOf } from './targets.ts'

/** An account whose owner said yes, what lets us speak for it, and the pages that come with it. */
export type Admission = {
  connector: Connector
  account: Account
  targets: StoredTarget[] | null
  instanceUrl: string | null
  credentials: Credentials
}

/** Asks the platform whose credentials these are. */
export async function readAccount(
  ctx: Context,
  connector: Connector,
  { instanceUrl, credentials }: Pick<Admission, 'instanceUrl' | 'credentials'>,
): Promise<Admission> {
  const http = openHttp(ctx, connector, { instanceUrl, credentials })
  const client = { http, account: { id: '', handle: '' }, credentials }
  const account = await connector.account(client)
  const targets = await findTargets(connector, client, account)
  return { connector, account, targets, instanceUrl, credentials }
}

type Place = { workspaceId: string; connectionId: string | null }

/** Stores the account as a connection. One that is connected already is renewed and keeps its slug, so what is scheduled on it goes out. */
export async function linkAccount(
  ctx: Context,
  tx: Tx,
  { workspaceId, connectionId }: Place,
  admission: Admission,
): Promise<ConnectionRow> {
  const { connector, account, instanceUrl } = admission
  const { platform } = connector.manifest
  await lockConnecting(tx, workspaceId)
  const known = await findByAccount(tx, workspaceId, { platform, accountId: account.id, instanceUrl })
  if (connectionId !== null && known?.id !== connectionId)
    throw problem('connect_account_differs', {
      message: `@${account.handle} is another account than the one to be reconnected.`,
    })
  const id = known ? await renew(ctx, tx, known, admission) : await add(ctx, tx, workspaceId, admission)
  const row = await findConnection(tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  return row
}

async function add(ctx: Context, tx: Tx, workspaceId: string, admission: Admission): Promise<string> {
  const { connector, account, targets, instanceUrl, credentials } = admission
  const { platform } = connector.manifest
  const { id: accountId, handle, displayName, avatarUrl } = account
  const taken = await takenSlugs(tx, workspaceId)
  const nowMs = ctx.nowMs()
  const row = connectionRow(ctx, {
    workspaceId,
    id: newId(nowMs),
    slug: connectionSlug(platform, handle, (word) => taken.has(word)),
    nowMs,
    account: { platform, accountId, handle, displayName, avatarUrl, instanceUrl, credentials, targets },
  })
  await insertConnections(tx, [row])
  return row.id
}

/** The page that was chosen stays chosen while the sign-in still reaches it. */
async function renew(ctx: Context, tx: Tx, known: ConnectionRow, { account, targets, credentials }: Admission): Promise<string> {
  const key = { workspaceId: known.workspace_id, id: known.id }
  const at = new Date(ctx.nowMs())
  const chosen = targets?.find(({ id }) => id === known.account_id) ?? targetOf(account, 'account')
  await updateConnection(tx, key, {
    ...spokenFor(chosen),
    sign_in_id: account.id,
    targets: targets && JSON.stringify(targets),
    credentials_sealed: sealCredentials(ctx, key, credentials),
    token_expires_at: credentials.expiresAtMs ? new Date(credentials.expiresAtMs) : null,
    token_renewed_at: at,
    status: 'active',
    status_reason: null,
    updated_at: at,
  })
  return known.id
}
