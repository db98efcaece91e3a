import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, refuse } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { oauthEndpointRoutes } from '../../oauth/oauth-endpoint.routes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf } from '../../state/tokens.ts'

const accessLifetimeMs = 7_200_000
const refreshLifetimeMs = 180 * 86_400_000

export function issuePair(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const common = { account, issuedAtMs, scopes }
  const access = context.tokens.issue({
    ...common,
    value: randomToken(),
    kind: 'access',
    expiresAtMs: issuedAtMs + context.accessLifetimeMs(accessLifetimeMs),
  })
  const mayRefresh = scopes === undefined || scopes.has('offline.access')
  const refresh = mayRefresh
    ? context.tokens.issue({ ...common, value: randomToken(), kind: 'refresh', expiresAtMs: issuedAtMs + refreshLifetimeMs })
    : undefined
  return { access, refresh }
}

export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  // One sentence for every fault of the app.
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri)
      ? undefined
      : 'Something went wrong. You weren’t able to give access to the App.'
  const rules = { scopeSeparator: ' ', codeLifetimeMs: 30_000, needsChallenge: true, findProblem }
  const invalidGrant = () =>
    refuse(400, { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' })

  const answerPair = (account: Account, scopes: Set<string> | undefined) => {
    const { access, refresh } = issuePair(context, account, scopes)
    return json(200, {
      token_type: 'bearer',
      expires_in: context.accessLifetimeMs(accessLifetimeMs) / 1000,
      access_token: access.value,
      scope: scopes ? [...scopes].join(' ') : 'tweet.read tweet.write users.read media.write offline.access',
      ...(refresh ? { refresh_token: refresh.value } : {}),
    })
  }

  const exchange = (call: Call) => {
    const fields = call.fields ?? {}
    const clientId = clientOf(call)
    const proof = {
      clientId,
      redirectUri: textOf(fields['redirect_uri']),
      verifier: textOf(fields['code_verifier']),
      nowMs: context.now(),
    }
    const grant = codes.redeem(textOf(fields['code']), proof)
    if (!grant) throw invalidGrant()
    return answerPair(grant.account, new Set(grant.scopes))
  }

  /** A refresh token can be used once, even if the reply to that call is lost. */
  const refresh = (call: Call) => {
    const used = context.tokens.find(textOf(call.fields?.['refresh_token']))
    if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live') {
      throw refuse(400, { error: 'invalid_grant', error_description: 'Value passed for the token was invalid.' })
    }
    if (context.settings.singleUseRefreshTokens === true) used.revoked = true
    return answerPair(used.account, used.scopes)
  }

  const token = (call: Call) => {
    const [clientId, clientSecret] = basicOf(call)
    if (clientOf(call) === undefined || !context.acceptsApp(clientId, clientSecret))
      throw refuse(401, { error: 'unauthorized_client', error_description: 'Missing valid authorization header' })
    const grantType = call.fields?.['grant_type']
    if (grantType === 'authorization_code') return exchange(call)
    if (grantType === 'refresh_token') return refresh(call)
    throw refuse(400, { error: 'unsupported_grant_type', error_description: 'The grant type is not supported.' })
  }

  const revoke = (call: Call) => {
    const found = context.tokens.find(textOf(call.fields?.['token']))
    if (found) found.revoked = true
    return json(200, { revoked: true })
  }

  const paths = { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', revoke: '/2/oauth2/revoke' }
  return oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke })
}

/** Confidential clients authenticate with a header; public clients send their id in the body. */
function clientOf(call: Call): string | undefined {
  return basicOf(call)[0] ?? textOf(call.fields?.['client_id'])
}

function basicOf({ headers: { authorization: header } }: Call): [id: string | undefined, secret: string | undefined] {
  if (header?.startsWith('Basic ') !== true) return [undefined, undefined]
  const [id, ...secret] = Buffer.from(header.slice(6), 'base64').toString('utf8').split(':')
  return [id, secret.join(':')]
}
