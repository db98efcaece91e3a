import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, refuse, type Reply } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { oauthEndpointRoutes } from '../../oauth/oauth-endpoint.routes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'

const dayMs = 86_400_000
const accessLifetimeMs = 60 * dayMs
const refreshLifetimeMs = 365 * dayMs

type Grant = { account: Account; scopes?: Set<string> | undefined }

export function issueAccess(context: PlatformContext, { account, scopes }: Grant, endsAtMs = Infinity): Token {
  const issuedAtMs = context.now()
  const expiresAtMs = Math.min(endsAtMs, issuedAtMs + context.accessLifetimeMs(accessLifetimeMs))
  return context.tokens.issue({ value: `AQ${randomToken(360)}`, kind: 'access', account, scopes, issuedAtMs, expiresAtMs })
}

/** Only apps of approved partners receive a refresh token. */
export function issueRefresh(context: PlatformContext, { account, scopes }: Grant): Token | undefined {
  if (context.settings.refreshTokens === false) return undefined
  const issuedAtMs = context.now()
  const expiresAtMs = issuedAtMs + refreshLifetimeMs
  return context.tokens.issue({ value: `AQ${randomToken(360)}`, kind: 'refresh', account, scopes, issuedAtMs, expiresAtMs })
}

export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri) ? undefined : 'The redirect_uri does not match the registered value'
  const rules = { scopeSeparator: ' ', codeLifetimeMs: 1_800_000, needsChallenge: false, findProblem }
  const secondsTo = (atMs: number) => Math.round((atMs - context.now()) / 1000)

  const answer = (grant: Grant, refresh: Token | undefined): Reply => {
    const access = issueAccess(context, grant, refresh?.expiresAtMs)
    return json(200, {
      access_token: access.value,
      expires_in: secondsTo(access.expiresAtMs),
      ...(refresh ? { refresh_token: refresh.value, refresh_token_expires_in: secondsTo(refresh.expiresAtMs) } : {}),
      scope: [...(grant.scopes ?? [])].join(','),
    })
  }

  const exchange = (fields: Call['fields'] = {}) => {
    const grant = codes.redeem(textOf(fields['code']), {
      clientId: textOf(fields['client_id']),
      redirectUri: textOf(fields['redirect_uri']),
      verifier: undefined,
      nowMs: context.now(),
    })
    if (!grant) throw refuse(400, { error: 'invalid_request', error_description: 'Unable to retrieve access token' })
    const granted = { account: grant.account, scopes: new Set(grant.scopes) }
    return answer(granted, issueRefresh(context, granted))
  }

  /** The refresh token stays the same unless it is set to be used once; its expiry date stays the same in any case. */
  const refresh = (fields: Call['fields'] = {}) => {
    const token = context.tokens.find(textOf(fields['refresh_token']))
    const { refreshTokens, singleUseRefreshTokens } = context.settings
    if (refreshTokens === false || token?.kind !== 'refresh' || stateOf(token, context.now()) !== 'live')
      throw refuse(400, {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant or refresh token is invalid',
      })
    if (singleUseRefreshTokens !== true) return answer(token, token)
    token.revoked = true
    const next = { account: token.account, scopes: token.scopes, issuedAtMs: context.now(), expiresAtMs: token.expiresAtMs }
    return answer(token, context.tokens.issue({ ...next, value: `AQ${randomToken(360)}`, kind: 'refresh' }))
  }

  const token = (call: Call) => {
    const fields = call.fields ?? {}
    const [clientId, clientSecret] = [textOf(fields['client_id']), textOf(fields['client_secret'])]
    if (clientId === undefined || clientSecret === undefined || !context.acceptsApp(clientId, clientSecret))
      throw refuse(401, { error: 'invalid_client', error_description: 'Client authentication failed' })
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    // Only a few partners have apps with tokens of their own.
    if (fields['grant_type'] === 'client_credentials')
      throw refuse(401, {
        error: 'access_denied',
        error_description: 'This application is not allowed to create application tokens',
      })
    throw refuse(400, { error: 'unsupported_grant_type', error_description: 'The grant type is not supported' })
  }

  const revoke = (call: Call) => {
    const found = context.tokens.find(textOf(call.fields?.['token']))
    if (found) context.tokens.revoke(found.account)
    return json(200, {})
  }

  const paths = { authorize: '/oauth/v2/authorization', token: '/oauth/v2/accessToken', revoke: '/oauth/v2/revoke' }
  return oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke })
}
