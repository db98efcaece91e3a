import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, refuse, type Reply } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { oauthEndpointRoutes } from '../../oauth/oauth-endpoint.routes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf } from '../../state/tokens.ts'

const accessLifetimeMs = 3_599_000
/** A refresh token ends when it was not used for six months. */
const refreshLifetimeMs = 182 * 86_400_000

export function issueAccess(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(accessLifetimeMs)
  return context.tokens.issue({ account, scopes, issuedAtMs, value: `ya29.${randomToken()}`, kind: 'access', expiresAtMs })
}

export function issueRefresh(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const expiresAtMs = issuedAtMs + refreshLifetimeMs
  return context.tokens.issue({ account, scopes, issuedAtMs, value: `1//${randomToken()}`, kind: 'refresh', expiresAtMs })
}

/** developers.google.com/identity/protocols/oauth2/web-server */
export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const offline = new Set<string>()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri) ? undefined : 'Error 400: redirect_uri_mismatch'
  const rules = { scopeSeparator: ' ', codeLifetimeMs: 600_000, needsChallenge: false, findProblem }
  const refuseGrant = (status: number, error: string, error_description: string) => refuse(status, { error, error_description })

  const answer = (account: Account, scopes: Set<string> | undefined, refreshToken?: string): Reply =>
    json(200, {
      access_token: issueAccess(context, account, scopes).value,
      expires_in: context.accessLifetimeMs(accessLifetimeMs) / 1000,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: [...(scopes ?? [])].join(' '),
      token_type: 'Bearer',
    })

  const exchange = (fields: Call['fields'] = {}): Reply => {
    const code = textOf(fields['code'])
    const grant = codes.redeem(code, {
      clientId: textOf(fields['client_id']),
      redirectUri: textOf(fields['redirect_uri']),
      verifier: textOf(fields['code_verifier']),
      nowMs: context.now(),
    })
    if (!grant) throw refuseGrant(400, 'invalid_grant', 'Malformed auth code.')
    const scopes = new Set(grant.scopes)
    const refresh = offline.has(code ?? '') ? issueRefresh(context, grant.account, scopes).value : undefined
    return answer(grant.account, scopes, refresh)
  }

  /** Google keeps the refresh token: the answer has none. */
  const refresh = (fields: Call['fields'] = {}): Reply => {
    const used = context.tokens.find(textOf(fields['refresh_token']))
    if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live')
      throw refuseGrant(400, 'invalid_grant', 'Token has been expired or revoked.')
    used.expiresAtMs = context.now() + refreshLifetimeMs
    return answer(used.account, used.scopes)
  }

  const token = ({ fields = {} }: Call): Reply => {
    const [clientId, clientSecret] = [textOf(fields['client_id']), textOf(fields['client_secret'])]
    const { app = null } = context.settings
    if (clientId === undefined || (app !== null && app.clientId !== clientId))
      throw refuseGrant(401, 'invalid_client', 'The OAuth client was not found.')
    if (!context.acceptsApp(clientId, clientSecret)) throw refuseGrant(401, 'invalid_client', 'Unauthorized')
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    throw refuseGrant(400, 'unsupported_grant_type', 'Invalid grant_type')
  }

  /** Either token ends the whole grant. One that has expired or was revoked before is refused. */
  const revoke = (call: Call): Reply => {
    const found = context.tokens.find(call.parameter('token'))
    if (!found || stateOf(found, context.now()) !== 'live') throw refuseGrant(400, 'invalid_token', 'Token expired or revoked')
    context.tokens.revoke(found.account)
    return json(200, {})
  }

  const paths = { authorize: '/o/oauth2/v2/auth', token: '/token', revoke: '/revoke' }
  const routes = oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke })
  // Only a request for offline access leads to a refresh token.
  return routes.map((route): Route => {
    if (route.path !== paths.authorize || !('open' in route)) return route
    return {
      ...route,
      answer(call) {
        const reply = route.answer(call)
        const code = URL.parse(reply.headers['location'] ?? '')?.searchParams.get('code')
        if (typeof code === 'string' && call.query.get('access_type') === 'offline') offline.add(code)
        return reply
      },
    }
  })
}
