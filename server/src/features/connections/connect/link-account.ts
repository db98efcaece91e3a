import type { Account, Client, Connector, Credentials } from '@carillon/connectors'
import { connectionSlug } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { StoredTarget } from '../../../infra/db/tables.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { isVetted } from './connect-method.ts'
import { connectionRow } from '../connection-row.ts'
import {
  findByAccount,
  findConnection,
  insertConnections,
  lockConnecting,
  takenSlugs,
  updateConnection,
  type ConnectionRow,
} from '../connection.store.ts'
import { openHttp } from '../open-client.ts'
import { sealCredentials } from '../seal-credentials.ts'
import { findTargets, spokenFor, targetOf } from '../targets.ts'

/** An account whose owner said yes, what lets us speak for it, and the pages that come with it. */
export type Admission = {
  connector: Connector
  account: Account
  /** By what the account is known when it comes again: itself or, where a sign-in has no account of its own, any of its pages. */
  knownBy: readonly string[]
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
  const found = isVetted(ctx, connector.manifest.platform)
    ? await findPages(connector, client)
    : await findAccount(connector, client)
  return { connector, ...found, instanceUrl, credentials }
}

type Found = Pick<Admission, 'account' | 'knownBy' | 'targets'>

async function findAccount(connector: Connector, client: Client): Promise<Found> {
  const account = await connector.account(client)
  return { account, knownBy: [account.id], targets: await findTargets(connector, client, account) }
}

/** It publishes as the first page until a person chooses another. */
async function findPages({ auth }: Connector, { http }: Client): Promise<Found> {
  const pages = auth.kind === 'oauth2' ? ((await auth.targets?.(http)) ?? []) : []
  const [account] = pages
  if (!account) throw problem('connect_refused', { message: 'There is no page that this account may publish to.' })
  return { account, knownBy: pages.map(({ id }) => id), targets: pages.map((page) => targetOf(page, 'page')) }
}

type Place = { workspaceId: string; connectionId: string | null }

/** Stores the account as a connection. One that is connected already is renewed and keeps its slug, so what is scheduled on it goes out. */
export async function linkAccount(
  ctx: Context,
  tx: Tx,
  { workspaceId, connectionId }: Place,
  admission: Admission,
): Promise<ConnectionRow> {
  const { connector, account, knownBy, instanceUrl } = admission
  const { platform } = connector.manifest
  await lockConnecting(tx, workspaceId)
  const known = await findByAccount(tx, workspaceId, { platform, knownBy, instanceUrl })
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
