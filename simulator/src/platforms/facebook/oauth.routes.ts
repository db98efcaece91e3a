import type { Call } from '../../http/call.ts'
import { json, Refusal, type Reply } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { authorize } from '../../oauth/authorize.ts'
import type { Platform, Route, Session } from '../../platform.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { graphError } from '../meta/graph-errors.ts'
import { pageOf } from '../meta/graph-fields.ts'
import { checkGraphApp, checkLiveToken, issueToken, unsupported } from '../meta/long-token.routes.ts'
import { isPageToken, issuePageToken, pagesOf, tokenPrefixes } from './pages.ts'

const shortLifetimeMs = 2 * 3_600_000
const longLifetimeMs = 60 * 86_400_000

/** Facebook Login: a token of some hours, which is exchanged for one of sixty days, with which the tokens of the pages are read. */
export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri)
      ? undefined
      : 'URL blocked. This redirect failed because the redirect URI is not white-listed in the app’s client OAuth settings.'
  const rules = { scopeSeparator: ',', codeLifetimeMs: 3_600_000, needsChallenge: false, findProblem }

  const answer = (value: string, lifetimeMs: number) =>
    json(200, { access_token: value, token_type: 'bearer', expires_in: context.accessLifetimeMs(lifetimeMs) / 1000 })

  const exchangeCode = (call: Call): Reply => {
    const proof = {
      clientId: call.parameter('client_id'),
      redirectUri: call.parameter('redirect_uri'),
      verifier: undefined,
      nowMs: context.now(),
    }
    const grant = call.parameter('client_secret') === undefined ? undefined : codes.redeem(call.parameter('code'), proof)
    if (!grant) throw new Refusal(graphError(400, { message: 'Invalid verification code format.', code: 100 }))
    const issued = { account: grant.account, scopes: new Set(grant.scopes), lifetimeMs: shortLifetimeMs }
    return answer(issueToken(context, tokenPrefixes.short, issued).value, shortLifetimeMs)
  }

  /** An expired token cannot be exchanged. */
  const exchangeShort = (call: Call): Reply => {
    const { account, scopes } = checkLiveToken(context, context.tokens.find(call.parameter('fb_exchange_token')))
    return answer(issueToken(context, tokenPrefixes.long, { account, scopes, lifetimeMs: longLifetimeMs }).value, longLifetimeMs)
  }

  /** The guide shows GET with a query; libraries send a form, and both work. */
  const token = (call: Call): Reply => {
    checkGraphApp(context, call)
    const grant = call.parameter('grant_type') ?? 'authorization_code'
    if (grant === 'authorization_code') return exchangeCode(call)
    if (grant === 'fb_exchange_token') return exchangeShort(call)
    if (grant !== 'client_credentials') throw unsupported()
    return json(200, { access_token: `${call.parameter('client_id')}|${randomToken(20)}`, token_type: 'bearer' })
  }

  const listPages = (call: Call, { account, token: owner }: Session): Reply => {
    if (isPageToken(owner))
      throw new Refusal(graphError(400, { message: '(#100) Tried accessing nonexisting field (accounts)', code: 100 }))
    const { data, paging } = pageOf(call, pagesOf(context, account), context)
    const pages = data.map((page) => ({
      id: page.id,
      name: page.handle,
      username: page.handle,
      access_token: issuePageToken(context, page, owner).value,
      // Whoever may only look at the figures of a page may not post there.
      tasks: page.handle.endsWith('-readonly') ? ['ANALYZE'] : ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MODERATE', 'MANAGE'],
      picture: { data: { url: context.avatarUrlOf(page.handle), is_silhouette: false } },
    }))
    return json(200, { data: pages, paging })
  }

  const listPermissions = ({ token: { scopes } }: Session): Reply =>
    json(200, { data: [...(scopes ?? [])].map((permission) => ({ permission, status: 'granted' })) })

  const findAccount = (call: Call) =>
    codes.find(call.parameter('code'))?.account ?? context.tokens.find(call.parameter('fb_exchange_token'))?.account
  const endpoint = { path: '/v26.0/oauth/access_token', operation: 'token', open: true, findAccount, answer: token } as const
  return [
    {
      method: 'GET',
      path: '/v26.0/dialog/oauth',
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'GET', ...endpoint },
    { method: 'POST', ...endpoint },
    { method: 'GET', path: '/v26.0/me/accounts', operation: 'account', scope: 'pages_show_list', handle: listPages },
    { method: 'GET', path: '/v26.0/me/permissions', operation: 'account', handle: (_, session) => listPermissions(session) },
  ]
}
