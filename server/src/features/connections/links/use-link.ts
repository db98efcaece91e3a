import { createHmac } from 'node:crypto'
import type { Connector } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { externalColumns, refuseTakenId } from '../../../infra/db/external-columns.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import type { StoredTarget } from '../../../infra/db/tables.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { open } from '../../../infra/sealing/seal.ts'
import { recordChange } from '../../audit/record-change.ts'
import { throttleAttempt } from '../../people/attempts/throttle-attempt.ts'
import { learnCapabilities } from '../capabilities/learn-capabilities.ts'
import { type AttemptKey, type ConnectFlowRow, insertFlow, lockAttempt, updateAttempt } from '../connect/connect-flow.store.ts'
import { hashOf, newRandomToken } from '../connect/connect-state.ts'
import { signIn } from '../connect/connect-by-password.ts'
import { guardAccount, linkAccount, openAccount, sealAccount } from '../connect/link-account.ts'
import { beginFlow, prepareConnect } from '../connect/start-connect.ts'
import { confirmSeconds } from '../connect/receive-callback.ts'
import { type ConnectionRow, findConnection, lockConnecting, updateConnection } from '../connection.store.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { targetColumns } from '../find-targets.ts'
import { type ConnectLinkRow, lockConnectLink, markLinkUsed } from './connect-link.store.ts'
import { guardLink } from './guard-link.ts'
import { isReturnAllowed, placeOfSecret } from './manage-links.ts'
import type { LinkAttempt } from './open-link.ts'

/** Each try may be a request to a server of the visitor's choice, or a password that is tried there. */
const tries = { name: 'connect link', max: 30, windowMs: 15 * 60_000 }

type Wish = {
  instanceUrl: string | undefined
  fields: Record<string, string>
  browserHash: Buffer
  returnTo: string
  traceId: string
}

/** Starts to connect an account. Returns the page of the platform, or the attempt to confirm if the platform has none. */
export async function startByLink(
  ctx: Context,
  link: ConnectLinkRow,
  connector: Connector,
  { instanceUrl: given, fields, browserHash, returnTo, traceId }: Wish,
): Promise<{ url: string } | { attemptId: string }> {
  const { platform } = connector.manifest
  if (!link.platforms.includes(platform)) throw problem('platform_not_found')
  await throttleAttempt(ctx, tries, link.id)
  const instanceUrl = link.is_reconnect ? await instanceOf(ctx, link) : given
  const body = instanceUrl === undefined ? {} : { instanceUrl }
  const connectionId = link.is_reconnect ? (link.connection_id ?? undefined) : undefined
  const { workspace_id: workspaceId, person_id: personId } = link
  if (connector.auth.kind === 'oauth2') {
    const prepared = await prepareConnect(ctx, { workspaceId, platform }, body)
    const nowMs = ctx.nowMs()
    const start = { workspaceId, personId, bySession: false, connectionId, returnTo, nowMs, link: { id: link.id, browserHash } }
    const { authorizeUrl } = await ctx.db.tenant(workspaceId, (tx) => beginFlow(ctx, tx, start, prepared))
    return { url: authorizeUrl }
  }
  const verified = await signIn(ctx, platform, { ...body, fields })
  const key = { workspaceId, attemptId: newUuid() }
  const { handle, displayName, avatarUrl } = verified.account
  const now = new Date(ctx.nowMs())
  await ctx.db.tenant(workspaceId, async (tx) => {
    await guardAccount(tx, { workspaceId, connectionId: connectionId ?? null }, verified)
    const row = {
      workspace_id: workspaceId,
      // Nobody comes back with it.
      state_hash: hashOf(newRandomToken()),
      person_id: personId,
      by_session: false,
      platform,
      instance_url: verified.instanceUrl,
      client_id: null,
      verifier_sealed: null,
      connection_id: connectionId ?? null,
      return_to: returnTo,
      issuer: null,
      issuer_required: false,
      scopes_asked: [],
      expires_at: new Date(now.getTime() + confirmSeconds * 1000),
      state: 'confirm' as const,
      attempt_id: key.attemptId,
      browser_hash: browserHash,
      trace_id: traceId,
      account: JSON.stringify({ handle, displayName, avatarUrl }),
      account_sealed: sealAccount(ctx, key, verified),
      link_id: link.id,
    }
    await insertFlow(tx, row, now)
  })
  return { attemptId: key.attemptId }
}

/** The server of the account that is reconnected. Undefined for the platform's own. */
async function instanceOf(ctx: Context, link: ConnectLinkRow): Promise<string | undefined> {
  const row = await ctx.db.readOnly(link.workspace_id, (tx) => findConnection(tx, link.workspace_id, link.connection_id ?? ''))
  if (!row) throw problem('connect_link_ended')
  const { instance_url: url, platform } = row
  return url === null || url === ctx.config.platformOrigins[platform] ? undefined : url
}

/** The accounts and pages among which the person chooses. Empty for an account that is known: its choice was made before. */
export async function listChoices(ctx: Context, { flow }: LinkAttempt): Promise<readonly StoredTarget[]> {
  if (flow.account_sealed === null) return []
  const verified = openAccount(ctx, keyOf(flow), flow, flow.account_sealed)
  const { targets } = verified
  if (targets === null || targets.length < 2) return []
  const known = await ctx.db.readOnly(flow.workspace_id, (tx) =>
    guardAccount(tx, { workspaceId: flow.workspace_id, connectionId: flow.connection_id }, verified),
  )
  return known ? [] : targets
}

type Confirmation = LinkAttempt & { targetId: string | null; traceId: string; hooks: ConnectionHooks }

/** Stores the account as a connection of the workspace, and ends the link. Confirming twice gives the same connection. */
export async function confirmByLink(ctx: Context, confirmation: Confirmation): Promise<ConnectionRow> {
  const { flow } = confirmation
  const { workspace_id: workspaceId } = flow
  const { row, isChosen } = await ctx.db.tenant(workspaceId, (tx) => refuseTakenId(confirmLocked(ctx, tx, confirmation)))
  if (isChosen) void learnCapabilities(ctx, { workspaceId, id: row.id })
  ctx.engine.wakeWorkers()
  return row
}

async function confirmLocked(ctx: Context, tx: Tx, { flow, link: { id }, targetId, traceId, hooks }: Confirmation) {
  const key = keyOf(flow)
  const { workspaceId } = key
  const now = new Date(ctx.nowMs())
  const attempt = await lockAttempt(tx, key, now)
  if (!attempt) throw problem('attempt_not_found')
  if (attempt.state === 'connected') {
    const row = await findConnection(tx, workspaceId, attempt.connected_id ?? '')
    if (!row) throw problem('connection_not_found')
    return { row, isChosen: false }
  }
  if (attempt.state !== 'confirm' || !attempt.account_sealed) throw problem('connect_expired')
  // Two browsers may have come this far with one link. The second waits here, and then the link is used.
  const link = await lockConnectLink(tx, { workspaceId, id })
  if (!link) throw problem('connect_link_ended')
  await guardLink(ctx, tx, link)
  const verified = openAccount(ctx, key, attempt, attempt.account_sealed)
  await lockConnecting(tx, workspaceId)
  const known = await guardAccount(tx, { workspaceId, connectionId: attempt.connection_id }, verified)
  if (known && isOfSomebodyElse(link, known))
    throw problem('external_id_taken', { message: 'This account is connected to the workspace already, for somebody else.' })
  const target =
    known || (verified.targets?.length ?? 0) < 2 ? null : (verified.targets?.find((each) => each.id === targetId) ?? 'none')
  if (target === 'none') throw problem('target_unknown')
  const { id: connectionId } = await linkAccount(ctx, tx, { workspaceId, connectionId: attempt.connection_id, hooks }, verified)
  // Another page than the account that signed in may do other things.
  const isChosen = target !== null && target.id !== verified.account.id
  await updateConnection(
    tx,
    { workspaceId, id: connectionId },
    {
      client_id: attempt.client_id,
      own_app: attempt.own_app,
      ...(link.external_id !== null && externalColumns({ externalId: link.external_id })),
      ...(Object.keys(link.metadata).length > 0 && externalColumns({ metadata: link.metadata })),
      ...(isChosen && { ...targetColumns(target), capabilities: null, capabilities_at: null }),
    },
  )
  await updateAttempt(tx, key, { state: 'connected', account_sealed: null, connected_id: connectionId })
  await markLinkUsed(tx, { workspaceId, id }, connectionId, now)
  // The maker of the link is who let this account into the workspace.
  const by = { workspaceId, personId: link.person_id, apiKeyId: link.api_key_id }
  await recordChange(tx, { action: 'connection.connect_by_link', subjectId: connectionId, by, nowMs: now.getTime(), traceId })
  const row = await findConnection(tx, workspaceId, connectionId)
  if (!row) throw problem('connection_not_found')
  return { row, isChosen }
}

/** The account belongs to another record of the client's own system: it must not move to this one by a link. */
function isOfSomebodyElse(link: ConnectLinkRow, known: ConnectionRow): boolean {
  return link.external_id !== null && known.external_id !== null && known.external_id !== link.external_id
}

/** The person does not want this account. Its tokens are forgotten; the link can still be used. */
export async function cancelByLink(ctx: Context, { flow }: LinkAttempt): Promise<void> {
  const failure = {
    code: 'connect_refused' as const,
    message: 'The account was not connected.',
    platformCode: null,
    platformMessage: null,
  }
  const key = keyOf(flow)
  await ctx.db.tenant(key.workspaceId, async (tx) => {
    const attempt = await lockAttempt(tx, key, new Date(ctx.nowMs()))
    if (attempt?.state !== 'confirm') throw problem('attempt_not_found')
    await updateAttempt(tx, key, { state: 'failed', account_sealed: null, failure: JSON.stringify(failure) })
  })
}

function keyOf(flow: ConnectFlowRow): AttemptKey {
  return { workspaceId: flow.workspace_id, attemptId: flow.attempt_id ?? '' }
}

type Result = { state: 'connected' | 'cancelled' | 'failed'; connectionId: string | null }

/**
 * Where the person goes afterwards, with a result that the client can check: ids and how it ended, signed with the secret of the link. Null if
 * the link has no such address, or an admin has removed its origin since then.
 */
export async function returnAddress(ctx: Context, link: ConnectLinkRow, { state, connectionId }: Result): Promise<string | null> {
  const { workspace_id: workspaceId, id, return_url: returnUrl, return_secret_sealed: sealed, external_id: externalId } = link
  if (returnUrl === null || sealed === null) return null
  if (!(await ctx.db.readOnly(workspaceId, (tx) => isReturnAllowed(tx, workspaceId, returnUrl)))) return null
  const said = { linkId: id, workspaceId, state, connectionId, externalId, at: new Date(ctx.nowMs()).toISOString() }
  const result = Buffer.from(JSON.stringify(said)).toString('base64url')
  const secret = open(ctx.config.secretKeys, placeOfSecret({ workspaceId, id }), sealed)
  const url = new URL(returnUrl)
  url.searchParams.set('carillon_result', result)
  url.searchParams.set('carillon_signature', createHmac('sha256', secret).update(result).digest('hex'))
  return url.href
}
