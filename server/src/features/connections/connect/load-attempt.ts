import { roleAllows } from '@carillon/core'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { ConnectAccount } from '../../../infra/db/tables.ts'
import { guardOrigin } from '../../../infra/http/guard-origin.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { sessionCookie } from '../../people/cookies/session-cookie.ts'
import { findSessionHolder } from '../../people/find-session-holder.ts'
import { workspaceName } from '../../workspaces/workspace-name.ts'
import { type ConnectFlowRow, findAttempt } from './connect-flow.store.ts'
import { findBrowser } from './connect-state.ts'
import { redirectUrlOf } from './find-app.ts'

export type LoadedAttempt = { flow: ConnectFlowRow; personId: string }

/**
 * An attempt to connect an account, for a person who may decide about it: signed in, in the browser that came back from the platform, and
 * an admin of the workspace. An API key is not enough, because it does not show that a person agrees.
 */
export async function loadAttempt(ctx: Context, request: FastifyRequest, id: string): Promise<LoadedAttempt> {
  const { authorization, cookie } = request.headers
  const session = authorization === undefined ? sessionCookie(ctx.config, cookie) : null
  if (session === null)
    throw problem('session_ended', { message: `Sign in to ${ctx.config.operator.name} in this browser to connect the account.` })
  guardOrigin(ctx.config, request)
  const flow = await findAttempt(ctx.db.system, id, new Date(ctx.nowMs()))
  const holder = await findSessionHolder(ctx, session, flow?.workspace_id ?? null)
  if (!holder) throw problem('session_ended')
  // What was started with a connect link is confirmed by the owner of the account, on the page of that link.
  const isAllowed =
    flow && flow.link_id === null && isThisBrowser(ctx, request, flow) && (!flow.by_session || flow.person_id === holder.personId)
  if (!isAllowed || !holder.membership) throw problem('attempt_not_found')
  const { role } = holder.membership
  if (!roleAllows(role, 'admin'))
    throw problem('role_forbidden', { message: `Connecting an account needs the role admin; yours here is ${role}.` })
  return { flow, personId: holder.personId }
}

/** Whether this browser came back from the platform. */
export function isThisBrowser(ctx: Context, request: FastifyRequest, { browser_hash: known }: ConnectFlowRow): boolean {
  const browser = findBrowser(ctx.config, request)
  return browser !== null && known !== null && browser.equals(known)
}

export type PresentedAttempt = {
  state: 'confirm' | 'connected' | 'failed'
  platform: string
  /** The server that hosts the account, for platforms with many servers. */
  instanceUrl: string | null
  workspace: { id: string; name: string }
  /** Null if connecting failed before the platform named the account. */
  account: ConnectAccount | null
  /** The connection that is renewed or was made. */
  connectionId: string | null
  /** Why connecting failed: our code, a sentence (the platform's own, where it sent one), the platform's code and its own words. */
  code: string | null
  message: string | null
  platformCode: string | null
  platformMessage: string | null
  redirectUri: string
  scopesAsked: string[]
  /** Null where the platform does not say. */
  scopesGranted: string[] | null
  missing: string[]
  /** Of the request with which the browser came back; it is also in the log. */
  traceId: string | null
  expiresAt: string
}

export async function presentAttempt(ctx: Context, flow: ConnectFlowRow): Promise<PresentedAttempt> {
  const { state, scopes_asked: scopesAsked, scopes_granted: scopesGranted, failure } = flow
  if (state === 'started' || state === 'returned') throw problem('attempt_not_found')
  return {
    state,
    platform: flow.platform,
    instanceUrl: flow.instance_url,
    workspace: { id: flow.workspace_id, name: await workspaceName(ctx.db.system, flow.workspace_id) },
    account: flow.account,
    connectionId: flow.connected_id ?? flow.connection_id,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    platformCode: failure?.platformCode ?? null,
    platformMessage: failure?.platformMessage ?? null,
    redirectUri: redirectUrlOf(ctx, flow.platform),
    scopesAsked,
    scopesGranted,
    missing: scopesGranted === null ? [] : scopesAsked.filter((scope) => !scopesGranted.includes(scope)),
    traceId: flow.trace_id,
    expiresAt: flow.expires_at.toISOString(),
  }
}
