import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, refuse } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { authorize } from '../../oauth/authorize.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf } from '../../state/tokens.ts'

/** 42 minutes, and 42 days (tumblr/docs issue 134). */
const accessLifetimeMs = 2_520_000
const refreshLifetimeMs = 42 * 86_400_000

export function issuePair(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const common = { account, issuedAtMs, scopes }
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(accessLifetimeMs)
  const access = context.tokens.issue({ ...common, value: randomToken(), kind: 'access', expiresAtMs })
  const refreshUntilMs = issuedAtMs + refreshLifetimeMs
  const mayRefresh = scopes === undefined || scopes.has('offline_access')
  const refresh = mayRefresh
    ? context.tokens.issue({ ...common, value: randomToken(), kind: 'refresh', expiresAtMs: refreshUntilMs })
    : undefined
  return { access, refresh }
}

/** Nothing takes a permission back but the person, in the settings of Tumblr. */
export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri) ? undefined : 'The redirect URI provided is missing or does not match'
  const rules = { scopeSeparator: ' ', codeLifetimeMs: 60_000, needsChallenge: false, findProblem }

  const answerPair = (account: Account, scopes: Set<string> | undefined) => {
    const { access, refresh } = issuePair(context, account, scopes)
    return json(200, {
      access_token: access.value,
      expires_in: context.accessLifetimeMs(accessLifetimeMs) / 1000,
      id_token: false,
      ...(refresh && { refresh_token: refresh.value }),
      scope: scopes ? [...scopes].join(' ') : 'basic write offline_access',
      token_type: 'bearer',
    })
  }

  const exchange = (fields: Record<string, unknown>) => {
    const [code, clientId] = [textOf(fields['code']), textOf(fields['client_id'])]
    const proof = { clientId, redirectUri: textOf(fields['redirect_uri']), verifier: undefined, nowMs: context.now() }
    const grant = codes.redeem(code, proof)
    if (!grant) throw refuse(400, { error: 'invalid_grant', error_description: "Authorization code doesn't exist or is invalid" })
    return answerPair(grant.account, new Set(grant.scopes))
  }

  /** A refresh token is used up, even if the answer is lost. */
  const refresh = (fields: Record<string, unknown>) => {
    const used = context.tokens.find(textOf(fields['refresh_token']))
    if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live')
      throw refuse(401, { error: 'invalid_grant', error_description: 'Refresh token has expired' })
    if (context.settings.singleUseRefreshTokens === true) used.revoked = true
    return answerPair(used.account, used.scopes)
  }

  const token = ({ fields = {} }: Call) => {
    if (!context.acceptsApp(textOf(fields['client_id']), textOf(fields['client_secret'])))
      throw refuse(401, { error: 'invalid_client', error_description: 'The client credentials are invalid' })
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    // Of the app alone: it reads what is public.
    if (fields['grant_type'] === 'client_credentials')
      return json(200, { access_token: randomToken(), expires_in: 2520, id_token: false, scope: 'basic', token_type: 'bearer' })
    throw refuse(400, { error: 'unsupported_grant_type', error_description: 'Grant type is not supported' })
  }

  const findAccount = ({ fields = {} }: Call) =>
    context.tokens.find(textOf(fields['refresh_token']))?.account ?? codes.find(textOf(fields['code']))?.account
  return [
    {
      method: 'GET',
      path: '/oauth2/authorize',
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'POST', path: '/v2/oauth2/token', operation: 'token', open: true, findAccount, answer: token },
  ]
}
