import { roleAllows } from '@carillon/core'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { guardOrigin } from '../../../infra/http/guard-origin.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { findSessionHolder } from '../../people/find-session-holder.ts'
import { sessionCookie } from '../../people/cookies/session-cookie.ts'
import { findBrowser } from './connect-browser.ts'
import { findAttempt, type ConnectFlowRow } from './connect-flow.store.ts'

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
  const isAllowed = flow && isThisBrowser(ctx, request, flow) && (!flow.by_session || flow.person_id === holder.personId)
  if (!isAllowed || !holder.membership) throw problem('attempt_not_found')
  const { role } = holder.membership
  if (!roleAllows(role, 'admin'))
    throw problem('role_forbidden', { message: `Connecting an account needs the role admin; yours here is ${role}.` })
  return { flow, personId: holder.personId }
}

function isThisBrowser(ctx: Context, request: FastifyRequest, { browser_hash: known }: ConnectFlowRow): boolean {
  const browser = findBrowser(ctx.config, request)
  return browser !== null && known !== null && browser.equals(known)
}
