import {
  exchangeCode,
  isAppRefused,
  isInvalidClient,
  isSameIssuer,
  PlatformError,
  type App,
  type Connector,
  type Grant,
  type OAuth2,
} from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import type { ConnectFailure } from '../../../infra/db/tables.ts'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import { clearAttempts, throttleAttempt } from '../../people/attempts/throttle-attempt.ts'
import { findSessionHolder } from '../../people/find-session-holder.ts'
import { sessionCookie } from '../../people/cookies/session-cookie.ts'
import { openHttp } from '../open-client.ts'
import { type VerifiedAccount, guardAccount, readAccount, sealAccount } from './link-account.ts'
import { claimFlow, updateAttempt, type ConnectFlowRow } from './connect-flow.store.ts'
import { missingAppMessage, throwConnectProblem } from './connect-method.ts'
import { hashOf, openVerifier } from './connect-state.ts'
import { guardLinkOf } from '../links/guard-link.ts'
import { findAppOf, markAppProven, requireConnector, retireApp } from './find-app.ts'

/** How long the tokens of an account wait for the confirmation. */
export const confirmSeconds = 600

export type CallbackQuery = { state?: string; code?: string; error?: string; error_description?: string; iss?: string }

type Callback = {
  platform: string
  /** The address at which the callback came. */
  redirectUrl: string
  query: CallbackQuery
  cookies: string | undefined
  browserHash: Buffer
  traceId: string
}

/** The end of the way through the platform. `failure` is null if a person can now confirm the account. */
export type Attempt = { id: string; returnTo: string | null; failure: Problem | null }

/**
 * Exchanges the code from the platform and stores the account, encrypted and not yet as a connection, for the browser that brought it. The
 * same callback cannot be used twice. What goes wrong on the way is stored too, so that the web app can say what to do.
 */
export async function receiveCallback(ctx: Context, callback: Callback): Promise<Attempt> {
  const flow = await claim(ctx, callback)
  const key = { workspaceId: flow.workspace_id, attemptId: flow.attempt_id ?? '' }
  const attempt = { id: key.attemptId, returnTo: flow.return_to }
  try {
    if (flow.link_id !== null) await guardLinkOf(ctx, flow.workspace_id, flow.link_id)
    const { verified, grant } = await readGrant(ctx, flow, callback)
    const { handle, displayName, avatarUrl } = verified.account
    await ctx.db.tenant(key.workspaceId, async (tx) => {
      await guardAccount(tx, { workspaceId: key.workspaceId, connectionId: flow.connection_id }, verified)
      await updateAttempt(tx, key, {
        state: 'confirm',
        account: JSON.stringify({ handle, displayName, avatarUrl }),
        account_sealed: sealAccount(ctx, key, verified),
        scopes_granted: grant.scopes && [...grant.scopes],
        verifier_sealed: null,
      })
    })
    return { ...attempt, failure: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const failure = JSON.stringify(describeFailure(error, callback.query))
    await ctx.db.tenant(key.workspaceId, (tx) => updateAttempt(tx, key, { state: 'failed', failure, verifier_sealed: null }))
    return { ...attempt, failure: error }
  }
}

/** The flow that a callback belongs to. A session that started a flow must also finish it. */
async function claim(ctx: Context, { platform, query, cookies, browserHash, traceId }: Callback): Promise<ConnectFlowRow> {
  if (query.state === undefined) throw problem('connect_expired')
  const now = new Date(ctx.nowMs())
  const expiresAt = new Date(ctx.nowMs() + confirmSeconds * 1000)
  const returned = { attemptId: newUuid(), browserHash, traceId, now, expiresAt }
  const flow = await claimFlow(ctx.db.system, hashOf(query.state), returned)
  if (!flow || flow.platform !== platform) throw problem('connect_expired')
  if (flow.by_session && !(await isSamePerson(ctx, flow, cookies))) throw problem('connect_expired')
  return flow
}

async function isSamePerson(ctx: Context, flow: ConnectFlowRow, cookies: string | undefined): Promise<boolean> {
  const cookie = sessionCookie(ctx.config, cookies)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, flow.workspace_id)
  return holder?.personId === flow.person_id
}

async function readGrant(
  ctx: Context,
  flow: ConnectFlowRow,
  { query, redirectUrl }: Pick<Callback, 'query' | 'redirectUrl'>,
): Promise<{ verified: VerifiedAccount; grant: Grant }> {
  checkIssuer(flow, query.iss)
  if (query.code === undefined) throw problem('connect_refused', { message: refusalOf(query) })
  const { connector, auth } = requireConnector(ctx, flow.platform, 'oauth2')
  const app = await findAppOf(ctx, connector, flow)
  if (!app) throw problem('platform_not_configured', { message: missingAppMessage(flow.platform) })
  const grant = await exchange(ctx, flow, { connector, auth, app, code: query.code, redirectUrl })
  const { credentials } = grant
  const verified = await readAccount(ctx, connector, {
    instanceUrl: flow.instance_url,
    credentials,
    isVetted: app.isVetted,
  }).catch(throwConnectProblem)
  return { verified, grant }
}

/**
 * RFC 9207: the answer must come from the server that was asked, because all instances of a platform answer to the same address. Platforms
 * without instances have an address of their own, so their `iss` is not needed.
 */
function checkIssuer({ issuer, issuer_required: isRequired }: ConnectFlowRow, iss: string | undefined): void {
  if (issuer === null) return
  if (iss === undefined ? isRequired : !isSameIssuer(iss, issuer))
    throw problem('connect_refused', {
      message: iss === undefined ? 'The server did not say who it is.' : `The answer is from another server than ${issuer}.`,
    })
}

const failedExchanges = { name: 'exchange of a code', max: 20, windowMs: 15 * 60_000 }
const sentenceMax = 300

function refusalOf(query: CallbackQuery): string {
  return platformWords(query.error_description ?? query.error) ?? 'The platform sent no code.'
}

function platformWords(said: string | null | undefined): string | null {
  const sentence = (said ?? '').replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return Array.from(sentence).slice(0, sentenceMax).join('') || null
}

function describeFailure({ code, message, cause }: Problem, query: CallbackQuery): ConnectFailure {
  const said =
    cause instanceof PlatformError
      ? { code: cause.platformCode, message: cause.platformMessage }
      : { code: query.error?.slice(0, sentenceMax) ?? null, message: query.error_description }
  return { code, message, platformCode: said.code, platformMessage: platformWords(said.message) }
}

type Exchange = { connector: Connector; auth: OAuth2; app: App; code: string; redirectUrl: string }

async function exchange(
  ctx: Context,
  flow: ConnectFlowRow,
  { connector, auth, app, code, redirectUrl }: Exchange,
): Promise<Grant> {
  const { workspace_id: workspaceId, state_hash: stateHash, instance_url: instanceUrl, verifier_sealed: sealed } = flow
  // Each made-up code is a request to a foreign server in our name.
  await throttleAttempt(ctx, failedExchanges, workspaceId)
  const http = openHttp(ctx, connector, { instanceUrl, credentials: null })
  try {
    const grant = await exchangeCode({
      auth,
      http,
      app,
      redirectUrl,
      code,
      codeVerifier: sealed && openVerifier(ctx, { workspaceId, stateHash }, sealed),
      nowMs: ctx.nowMs(),
    })
    await markAppProven(ctx, connector, instanceUrl, app)
    await clearAttempts(ctx, failedExchanges, workspaceId)
    return grant
  } catch (error) {
    // All workspaces share the app, and one of them may have sent anything as a code. So the server is asked about the app alone.
    if (isInvalidClient(error) && (await isAppRefused(auth, http, app))) await retireApp(ctx, connector, instanceUrl, app)
    return throwConnectProblem(error)
  }
}
