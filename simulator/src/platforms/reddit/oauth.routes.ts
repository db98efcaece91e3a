import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { oauthEndpointRoutes } from '../../oauth/oauth-endpoint.routes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf } from '../../state/tokens.ts'
import { failure } from './errors.ts'

/** Older recorded answers have an hour, those of 2025 a day (praw, test_submit_image__selftext). */
const accessLifetimeMs = 86_400_000

/** A refresh token has no end, and works as often as one likes. */
export function issuePair(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const common = { account, issuedAtMs, scopes }
  return {
    access: issueAccess(context, account, scopes),
    refresh: context.tokens.issue({ ...common, value: randomToken(), kind: 'refresh', expiresAtMs: Infinity }),
  }
}

function issueAccess(context: PlatformContext, account: Account, scopes: Set<string> | undefined) {
  const issuedAtMs = context.now()
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(accessLifetimeMs)
  return context.tokens.issue({ value: randomToken(), kind: 'access', account, issuedAtMs, scopes, expiresAtMs })
}

export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  /** The codes of people who were asked for a permission without an end. */
  const lasting = new Set<string>()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri) ? undefined : 'bad request (reddit.com): invalid redirect_uri parameter.'
  const rules = { scopeSeparator: ' ', codeLifetimeMs: 600_000, needsChallenge: false, findProblem }
  const lifetime = () => context.accessLifetimeMs(accessLifetimeMs) / 1000
  const answer = (access: string, scopes: Set<string> | undefined, refresh?: string) =>
    json(200, {
      access_token: access,
      token_type: 'bearer',
      expires_in: lifetime(),
      ...(refresh !== undefined && { refresh_token: refresh }),
      scope: scopes ? [...scopes].join(' ') : 'identity read submit flair edit history',
    })

  const exchange = (fields: Record<string, unknown>, clientId: string): Reply => {
    const code = textOf(fields['code'])
    const proof = { clientId, redirectUri: textOf(fields['redirect_uri']), verifier: undefined, nowMs: context.now() }
    const grant = codes.redeem(code, proof)
    // With the status of a success (r2/r2/controllers/oauth2.py).
    if (!grant || code === undefined) return { ...json(200, { error: 'invalid_grant' }), isRefused: true }
    const scopes = new Set(grant.scopes)
    if (!lasting.delete(code)) return answer(issueAccess(context, grant.account, scopes).value, scopes)
    const { access, refresh } = issuePair(context, grant.account, scopes)
    return answer(access.value, scopes, refresh.value)
  }

  const renew = (fields: Record<string, unknown>): Reply => {
    const used = context.tokens.find(textOf(fields['refresh_token']))
    if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live') return failure(400)
    return answer(issueAccess(context, used.account, used.scopes).value, used.scopes)
  }

  const token = (call: Call): Reply => {
    const [clientId, clientSecret] = basicOf(call)
    if (clientId === undefined || !context.acceptsApp(clientId, clientSecret)) return failure(401)
    const { fields = {} } = call
    if (fields['grant_type'] === 'authorization_code') return exchange(fields, clientId)
    if (fields['grant_type'] === 'refresh_token') return renew(fields)
    if (fields['grant_type'] === 'client_credentials') return answer(randomToken(), new Set(['*']))
    return { ...json(200, { error: 'unsupported_grant_type' }), isRefused: true }
  }

  const revoke = (call: Call): Reply => {
    const found = context.tokens.find(textOf(call.fields?.['token']))
    // A refresh token ends all that it has given.
    if (found?.kind === 'refresh') context.tokens.revoke(found.account)
    else if (found) found.revoked = true
    return { status: 204, headers: {}, body: '' }
  }

  const paths = { authorize: '/api/v1/authorize', token: '/api/v1/access_token', revoke: '/api/v1/revoke_token' }
  return oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke }).map((route) => {
    if (route.path !== paths.authorize || !('open' in route)) return route
    const { answer: agree } = route
    return {
      ...route,
      answer(call) {
        const reply = agree(call)
        const code = URL.parse(reply.headers['location'] ?? '')?.searchParams.get('code')
        if (code && call.query.get('duration') === 'permanent') lasting.add(code)
        return reply
      },
    }
  })
}

function basicOf({ headers: { authorization: header } }: Call): [id: string | undefined, secret: string | undefined] {
  if (header?.startsWith('Basic ') !== true) return [undefined, undefined]
  const [id, ...secret] = Buffer.from(header.slice(6), 'base64').toString('utf8').split(':')
  return [id, secret.join(':')]
}
