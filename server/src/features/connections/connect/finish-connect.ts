import { exchangeCode, PlatformError, type App, type Connector, type Credentials, type OAuth2 } from '@carillon/connectors'
import type { Connection } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import { recordChange } from '../../audit/record-change.ts'
import type { Context } from '../../../context.ts'
import { findMembership } from '../../members/find-membership.ts'
import { findSessionHolder } from '../../people/find-session-holder.ts'
import { sessionCookie } from '../../people/session-cookie.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { takeFlow, type ConnectFlowRow } from './connect-flow.store.ts'
import { missingAppMessage } from './connect-method.ts'
import { hashOf, openVerifier } from './connect-state.ts'
import { throwConnectProblem } from './throw-connect-problem.ts'
import { findApp, removeApp, markAppProven, redirectUrlOf } from './find-app.ts'
import { requireConnector } from './require-connector.ts'
import { linkAccount, readAccount } from './link-account.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { openHttp } from '../open-client.ts'
import { presentConnection } from '../present-connection.ts'

export type CallbackQuery = { state?: string; code?: string; error?: string; error_description?: string }

type CallbackRequest = { platform: string; state: string | undefined; cookies: string | undefined }

/** Finds and deletes the flow that belongs to a callback, so that the same callback cannot be used twice. */
export async function takeConnect(ctx: Context, { platform, state, cookies }: CallbackRequest): Promise<ConnectFlowRow> {
  const flow = state === undefined ? undefined : await takeFlow(ctx.db.system, hashOf(state))
  if (!flow || flow.platform !== platform || flow.expires_at.getTime() <= ctx.nowMs()) throw problem('connect_expired')
  if (flow.by_session && !(await isSamePerson(ctx, flow, cookies))) throw problem('connect_expired')
  return flow
}

/** Without this check, an attacker could send a victim to the consent page and connect the victim's account to the attacker's workspace. */
async function isSamePerson(ctx: Context, flow: ConnectFlowRow, cookies: string | undefined): Promise<boolean> {
  const cookie = sessionCookie(ctx.config, cookies)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, flow.workspace_id)
  return holder?.personId === flow.person_id
}

/** Exchanges the code from the platform and stores the connection in the workspace where the flow was started. */
export async function finishConnect(
  ctx: Context,
  flow: ConnectFlowRow,
  { query, traceId, hooks }: { query: CallbackQuery; traceId: string; hooks: ConnectionHooks },
): Promise<Connection> {
  if (query.code === undefined)
    throw problem('connect_refused', { message: query.error_description ?? query.error ?? 'The platform sent no code.' })
  const { connector, auth } = requireConnector(ctx, flow.platform, 'oauth2')
  const app = await findApp(ctx, connector, flow.instance_url)
  if (!app) throw problem('platform_not_configured', { message: missingAppMessage(flow.platform) })
  const credentials = await exchange(ctx, flow, { connector, auth, app, code: query.code })
  const verified = await readAccount(ctx, connector, { instanceUrl: flow.instance_url, credentials }).catch(throwConnectProblem)

  const { workspace_id: workspaceId, person_id: personId } = flow
  const connection = await ctx.db.tenant(workspaceId, async (tx) => {
    const membership = await findMembership(tx, workspaceId, personId)
    // The person may have been removed from the workspace since the flow was started.
    if (!membership || !roleAllows(membership.role, 'admin')) throw problem('role_forbidden')
    const row = await linkAccount(ctx, tx, { workspaceId, connectionId: flow.connection_id, hooks }, verified)
    const by = { workspaceId, personId, apiKeyId: null }
    await recordChange(tx, { action: 'connection.connect', subjectId: row.id, by, nowMs: ctx.nowMs(), traceId })
    return presentConnection(ctx, row, ctx.nowMs())
  })
  ctx.engine.wakeWorkers()
  return connection
}

type Exchange = { connector: Connector; auth: OAuth2; app: App; code: string }

async function exchange(ctx: Context, flow: ConnectFlowRow, { connector, auth, app, code }: Exchange): Promise<Credentials> {
  const { workspace_id: workspaceId, state_hash: stateHash, instance_url: instanceUrl, verifier_sealed: sealed } = flow
  try {
    const credentials = await exchangeCode({
      auth,
      http: openHttp(ctx, connector, { instanceUrl, credentials: null }),
      app,
      redirectUrl: redirectUrlOf(ctx, flow.platform),
      code,
      codeVerifier: sealed && openVerifier(ctx, { workspaceId, stateHash }, sealed),
      nowMs: ctx.nowMs(),
    })
    await markAppProven(ctx, connector, instanceUrl, app)
    return credentials
  } catch (error) {
    // The platform rejected the code or our app. The two cannot be told apart, and only a rejected app would fail again.
    if (error instanceof PlatformError && error.kind === 'auth') await removeApp(ctx, connector, instanceUrl)
    return throwConnectProblem(error)
  }
}
