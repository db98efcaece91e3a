import { authorizeUrl, readIssuer, scopesToAsk, type Issuer, type OAuth2 } from '@carillon/connectors'
import type { BodyOf, integrations, ReturnsOf } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { insertFlow } from './connect-flow.store.ts'
import { missingAppMessage, throwConnectProblem } from './connect-method.ts'
import { challengeOf, hashOf, newRandomToken, newState, sealVerifier } from './connect-state.ts'
import type { ConnectingApp } from '../apps/find-own-app.ts'
import { findConnection } from '../connection.store.ts'
import { localPath } from '../../../infra/http/local-path.ts'
import { openHttp } from '../open-client.ts'
import { appForNew, redirectUrlOf, requireConnector, resolveInstance } from './find-app.ts'

const flowLifetimeMs = 10 * 60_000

type Body = BodyOf<typeof integrations.start>
export type PreparedConnect = {
  platform: string
  auth: OAuth2
  app: ConnectingApp
  instanceUrl: string | null
  /** Null for a platform that has only one server. */
  issuer: Issuer | null
}

/** Finds the app and the server for the sign-in. At an instance that is new to us, it registers an app first. */
export async function prepareConnect(
  ctx: Context,
  { workspaceId, platform }: { workspaceId: string; platform: string },
  { instanceUrl: given, returnTo }: Body,
): Promise<PreparedConnect> {
  if (returnTo !== undefined && localPath(returnTo) === null)
    throw problem('request_invalid', { details: [{ path: 'returnTo', message: 'Must be a path on this host, such as /posts.' }] })
  const { connector, auth } = requireConnector(ctx, platform, 'oauth2')
  const instanceUrl = await resolveInstance(ctx, connector, given)
  const app = await appForNew(ctx, connector, { workspaceId, instanceUrl }).catch(throwConnectProblem)
  if (!app) throw problem('platform_not_configured', { message: missingAppMessage(platform) })
  const issuer =
    instanceUrl === null ? null : await readIssuer(auth, openHttp(ctx, connector, { instanceUrl, credentials: null }))
  return { platform, auth, app, instanceUrl, issuer }
}

/** Stores which person connects an account to which workspace. The callback finds this row only by the state. */
export async function startConnect(
  { ctx, tx, principal, nowMs }: RequestScope,
  { platform, auth, app, instanceUrl, issuer }: PreparedConnect,
  { connectionId, returnTo }: Body,
): Promise<ReturnsOf<typeof integrations.start>> {
  const { workspaceId, personId } = principal
  if (connectionId !== undefined && !(await findConnection(tx, workspaceId, connectionId))) throw problem('connection_not_found')
  const start = { workspaceId, personId, bySession: principal.apiKeyId === null, connectionId, returnTo, nowMs }
  return beginFlow(ctx, tx, start, { platform, auth, app, instanceUrl, issuer })
}

type FlowStart = {
  workspaceId: string
  personId: string
  bySession: boolean
  connectionId: string | undefined
  returnTo: string | undefined
  nowMs: number
  /** Set if a connect link starts it: then only this browser can come back. */
  link?: { id: string; browserHash: Buffer }
}

export async function beginFlow(
  ctx: Context,
  tx: Tx,
  { workspaceId, personId, bySession, connectionId, returnTo, nowMs, link }: FlowStart,
  { platform, auth, app, instanceUrl, issuer }: PreparedConnect,
): Promise<ReturnsOf<typeof integrations.start>> {
  const state = newState(ctx.config.cell)
  const stateHash = hashOf(state)
  const verifier = auth.pkce ? newRandomToken() : null
  const expiresAt = new Date(nowMs + flowLifetimeMs)
  const row = {
    workspace_id: workspaceId,
    state_hash: stateHash,
    person_id: personId,
    by_session: bySession,
    platform,
    instance_url: instanceUrl,
    client_id: app.clientId,
    own_app: app.isOwn,
    verifier_sealed: verifier === null ? null : sealVerifier(ctx, { workspaceId, stateHash }, verifier),
    connection_id: connectionId ?? null,
    return_to: returnTo === undefined ? null : localPath(returnTo),
    issuer: issuer?.url ?? null,
    issuer_required: issuer?.isRequired ?? false,
    scopes_asked: [...scopesToAsk(auth, app.isVetted)],
    expires_at: expiresAt,
    link_id: link?.id ?? null,
    browser_hash: link?.browserHash ?? null,
  }
  await insertFlow(tx, row, new Date(nowMs))
  const url = authorizeUrl({
    auth,
    origin: instanceUrl ?? ctx.config.platformOrigins[platform] ?? null,
    app,
    redirectUrl: redirectUrlOf(ctx, platform),
    state,
    codeChallenge: verifier === null ? null : challengeOf(verifier),
    isVetted: app.isVetted,
  })
  return { authorizeUrl: url, expiresAt: expiresAt.toISOString() }
}
