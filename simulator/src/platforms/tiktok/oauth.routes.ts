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

const hourMs = 3_600_000
/** One page says 24 hours, a newer one 2. Apps must read `expires_in`, so the simulator uses the shorter time. */
const accessLifetimeMs = 2 * hourMs
const refreshLifetimeMs = 365 * 24 * hourMs

export function issuePair(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const common = { account, scopes, issuedAtMs }
  return {
    access: context.tokens.issue({
      ...common,
      value: `act.${randomToken()}`,
      kind: 'access',
      expiresAtMs: issuedAtMs + context.accessLifetimeMs(accessLifetimeMs),
    }),
    refresh: context.tokens.issue({
      ...common,
      value: `rft.${randomToken()}`,
      kind: 'refresh',
      expiresAtMs: issuedAtMs + refreshLifetimeMs,
    }),
  }
}

export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const findProblem = (clientKey: string, redirectUri: string) =>
    context.acceptsRedirect(clientKey, redirectUri) ? undefined : 'Something went wrong. redirect_uri'
  const rules = { scopeSeparator: ',', codeLifetimeMs: hourMs, needsChallenge: false, clientIdName: 'client_key', findProblem }
  const refuseGrant = (error: string, error_description: string, status = 400) =>
    refuse(status, { error, error_description, log_id: randomToken(12) })

  const answer = (account: Account, scopes: Set<string> | undefined): Reply => {
    const { access, refresh } = issuePair(context, account, scopes)
    return json(200, {
      open_id: account.id,
      scope: [...(scopes ?? [])].join(','),
      access_token: access.value,
      expires_in: context.accessLifetimeMs(accessLifetimeMs) / 1000,
      refresh_token: refresh.value,
      refresh_expires_in: refreshLifetimeMs / 1000,
      token_type: 'Bearer',
    })
  }

  const exchange = (fields: Call['fields'] = {}): Reply => {
    const grant = codes.redeem(textOf(fields['code']), {
      clientId: textOf(fields['client_key']),
      redirectUri: textOf(fields['redirect_uri']),
      verifier: undefined,
      nowMs: context.now(),
    })
    if (!grant) throw refuseGrant('invalid_grant', 'Authorization code is expired.')
    return answer(grant.account, new Set(grant.scopes))
  }

  /** A refresh token can be used once. TikTok reports an invalid one in the body of a reply with status 200. */
  const refresh = (fields: Call['fields'] = {}): Reply => {
    const used = context.tokens.find(textOf(fields['refresh_token']))
    if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live')
      throw refuseGrant('invalid_grant', 'Refresh token is invalid or expired.', 200)
    if (context.settings.singleUseRefreshTokens === true) used.revoked = true
    return answer(used.account, used.scopes)
  }

  const token = (call: Call): Reply => {
    const fields = call.fields ?? {}
    const [clientKey, clientSecret] = [textOf(fields['client_key']), textOf(fields['client_secret'])]
    if (clientKey === undefined || clientSecret === undefined || !context.acceptsApp(clientKey, clientSecret))
      throw refuseGrant('invalid_client', 'Client key or secret is incorrect.', 401)
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    // developers.tiktok.com, "Client access token management".
    if (fields['grant_type'] === 'client_credentials')
      return json(200, { access_token: `clt.${randomToken()}`, expires_in: 7200, token_type: 'Bearer' })
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    throw refuseGrant('unsupported_grant_type', 'The grant type is not supported.')
  }

  /** developers.tiktok.com, "Revoke a user access token": all three fields are required, and the token is the access token. */
  const revoke = (call: Call): Reply => {
    const { client_key, client_secret, token: sentToken } = call.fields ?? {}
    if (textOf(client_key) === undefined || textOf(client_secret) === undefined)
      throw refuseGrant('invalid_client', 'Client key or secret is incorrect.', 401)
    const found = context.tokens.find(textOf(sentToken))
    if (found?.kind !== 'access') throw refuseGrant('invalid_request', 'The access token is invalid.')
    context.tokens.revoke(found.account)
    return json(200, {})
  }

  const paths = { authorize: '/v2/auth/authorize/', token: '/v2/oauth/token/', revoke: '/v2/oauth/revoke/' }
  return oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke })
}
