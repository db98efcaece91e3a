import {
  type Account,
  type Capabilities,
  type Client,
  type Connector,
  type Credentials,
  PlatformError,
} from '@carillon/connectors'
import { connectionSlug } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import type { StoredTarget } from '../../../infra/db/tables.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { boundAccount } from '../bound-answers.ts'
import { canRenew } from '../can-renew.ts'
import { connectionRow } from '../connection-row.ts'
import {
  type ConnectionRow,
  findByAccount,
  findConnection,
  findSlugs,
  insertConnections,
  lockConnecting,
  updateConnection,
} from '../connection.store.ts'
import { connectorOf } from '../connector-of.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { findTargets, targetColumns, targetOf } from '../find-targets.ts'
import { openHttp } from '../open-client.ts'
import { sealCredentials } from '../seal-credentials.ts'
import type { AttemptKey, ConnectFlowRow } from './connect-flow.store.ts'

/** An account whose credentials the platform accepted, with the pages that it can publish to. */
export type VerifiedAccount = {
  connector: Connector
  account: Account
  /** The ids that identify the account when it is connected again: its own id or, if the sign-in covers only pages, their ids. */
  accountIds: readonly string[]
  targets: StoredTarget[] | null
  instanceUrl: string | null
  credentials: Credentials
  /** What the account may do; absent if the platform did not say, or treats all accounts alike. */
  capabilities?: Capabilities | undefined
}

/** Asks the platform to which account these credentials belong, or to which pages if it lets the app publish only there. */
export async function readAccount(
  ctx: Context,
  connector: Connector,
  { instanceUrl, credentials, isVetted }: Pick<VerifiedAccount, 'instanceUrl' | 'credentials'> & { isVetted: boolean },
): Promise<VerifiedAccount> {
  const http = openHttp(ctx, connector, { instanceUrl, credentials })
  const client = { http, account: { id: '', handle: '' }, credentials }
  const { auth } = connector
  // Where one sign-in covers one account, an app that is approved for more has more permissions for that account.
  const isForPages = auth.kind === 'oauth2' && auth.targets !== undefined && (isVetted || auth.isForTargetsOnly === true)
  const found = isForPages ? await findPages(connector, client) : await findAccount(connector, client)
  const { id, handle } = found.account
  const capabilities = await readCapabilities(connector, { ...client, account: { id, handle } })
  return { connector, ...found, instanceUrl, credentials, ...(capabilities && { capabilities }) }
}

/** An account is connected whether or not the platform says what it may do. */
async function readCapabilities(connector: Connector, client: Client): Promise<Capabilities | undefined> {
  return connector.capabilities?.read(client).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined
    throw error
  })
}

type FoundAccount = Pick<VerifiedAccount, 'account' | 'accountIds' | 'targets'>

async function findAccount(connector: Connector, client: Client): Promise<FoundAccount> {
  const account = boundAccount(await connector.account(client))
  return { account, accountIds: [account.id], targets: await findTargets(connector, client, account) }
}

/** The connection publishes to the first page until a user chooses another one. */
async function findPages({ auth }: Connector, { http }: Client): Promise<FoundAccount> {
  const pages = auth.kind === 'oauth2' ? ((await auth.targets?.(http)) ?? []) : []
  const [account] = pages
  if (!account) throw problem('connect_refused', { message: 'There is no page that this account may publish to.' })
  return { account, accountIds: pages.map(({ id }) => id), targets: pages.map((page) => targetOf(page, 'page')) }
}

type Destination = { workspaceId: string; connectionId: string | null; hooks: Pick<ConnectionHooks, 'afterReconnect'> }

/**
 * Stores the account as a connection. An existing connection is renewed and keeps its slug, so its scheduled posts are published. The caller
 * wakes the workers after the commit: posts may have waited for this.
 */
export async function linkAccount(
  ctx: Context,
  tx: Tx,
  { workspaceId, connectionId, hooks }: Destination,
  verified: VerifiedAccount,
): Promise<ConnectionRow> {
  await lockConnecting(tx, workspaceId)
  const known = await guardAccount(tx, { workspaceId, connectionId }, verified)
  const id = known ? await renewConnection(ctx, tx, known, verified) : await addConnection(ctx, tx, workspaceId, verified)
  const row = await findConnection(tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  if (known) await hooks.afterReconnect(tx, { workspaceId, id })
  await recordEvents(tx, [{ workspaceId, event: 'connection.connected', connectionId: id, atMs: ctx.nowMs() }])
  return row
}

/** The connection that the account has already. Throws if it is not the one that the person wants to renew. */
export async function guardAccount(
  tx: Tx,
  { workspaceId, connectionId }: Pick<Destination, 'workspaceId' | 'connectionId'>,
  { connector, account, accountIds, instanceUrl }: VerifiedAccount,
): Promise<ConnectionRow | undefined> {
  const { platform } = connector.manifest
  const known = await findByAccount(tx, workspaceId, { platform, accountIds, instanceUrl })
  if (connectionId !== null && known?.id !== connectionId)
    throw problem('connect_account_differs', {
      message: `@${account.handle} is not the account of the connection that you want to reconnect.`,
    })
  return known
}

async function addConnection(ctx: Context, tx: Tx, workspaceId: string, verified: VerifiedAccount): Promise<string> {
  const { connector, account, targets, instanceUrl, credentials } = verified
  const { platform } = connector.manifest
  const { id: accountId, handle, displayName, avatarUrl, appUserId } = account
  const taken = await findSlugs(tx, workspaceId)
  const nowMs = ctx.nowMs()
  const made = connectionRow(ctx, {
    workspaceId,
    id: newId(nowMs),
    slug: connectionSlug(platform, handle, (candidate) => taken.has(candidate)),
    nowMs,
    account: { platform, accountId, appUserId, handle, displayName, avatarUrl, instanceUrl, credentials, targets },
  })
  const row = { ...made, ...capabilityColumns(verified.capabilities, new Date(nowMs)) }
  await insertConnections(tx, [row])
  return row.id
}

function capabilityColumns(capabilities: Capabilities | undefined, at: Date) {
  return { capabilities: capabilities ? JSON.stringify(capabilities) : null, capabilities_at: capabilities ? at : null }
}

/** The chosen page stays chosen if the sign-in can still publish to it. */
async function renewConnection(
  ctx: Context,
  tx: Tx,
  known: ConnectionRow,
  { connector, account, targets, credentials, capabilities }: VerifiedAccount,
): Promise<string> {
  const key = { workspaceId: known.workspace_id, id: known.id }
  const at = new Date(ctx.nowMs())
  const chosen = targets?.find(({ id }) => id === known.account_id) ?? targetOf(account, 'account')
  await updateConnection(tx, key, {
    ...targetColumns(chosen),
    // What was read is about the account that signed in. A page may do other things.
    ...capabilityColumns(chosen.id === account.id ? capabilities : undefined, at),
    capabilities_asked_at: null,
    sign_in_id: account.id,
    app_user_id: account.appUserId ?? null,
    targets: targets && JSON.stringify(targets),
    credentials_sealed: sealCredentials(ctx, key, credentials),
    token_expires_at: credentials.expiresAtMs ? new Date(credentials.expiresAtMs) : null,
    // Always another time than before, so that a renewal that is under way sees that its token was replaced.
    token_renewed_at: new Date(Math.max(at.getTime(), known.token_renewed_at.getTime() + 1)),
    token_renewable: canRenew(connector, credentials),
    renew_failures: 0,
    renew_after: null,
    status: 'active',
    status_reason: null,
    status_code: null,
    updated_at: at,
  })
  return known.id
}

type SealedAccount = Omit<VerifiedAccount, 'connector' | 'instanceUrl'>

const placeOf = ({ workspaceId, attemptId }: AttemptKey) => ({ workspaceId, rowId: attemptId, column: 'account' })

/** The account and its tokens, encrypted until a person confirms it. */
export function sealAccount(
  ctx: Context,
  key: AttemptKey,
  { account, accountIds, targets, credentials, capabilities }: VerifiedAccount,
): Buffer {
  const sealed: SealedAccount = { account, accountIds, targets, credentials, capabilities }
  return seal(ctx.config.secretKeys, placeOf(key), JSON.stringify(sealed))
}

export function openAccount(ctx: Context, key: AttemptKey, flow: ConnectFlowRow, sealed: Buffer): VerifiedAccount {
  const opened: SealedAccount = JSON.parse(open(ctx.config.secretKeys, placeOf(key), sealed))
  return { ...opened, connector: connectorOf(ctx, flow.platform), instanceUrl: flow.instance_url }
}
