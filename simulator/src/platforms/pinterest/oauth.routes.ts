import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { oauthEndpointRoutes } from '../../oauth/oauth-endpoint.routes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { failure, refusal } from './errors.ts'

const dayMs = 86_400_000
const accessLifetimeMs = 30 * dayMs
/** A continuous one, whose days begin anew with each renewal. */
const refreshLifetimeMs = 60 * dayMs

type Pair = { access: Token; refresh: Token }

export function issuePair(context: PlatformContext, account: Account, scopes?: Set<string>): Pair {
  const issuedAtMs = context.now()
  const common = { account, issuedAtMs, scopes }
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(accessLifetimeMs)
  return {
    access: context.tokens.issue({ ...common, value: `pina_${randomToken()}`, kind: 'access', expiresAtMs }),
    refresh: context.tokens.issue({
      ...common,
      value: `pinr_${randomToken()}`,
      kind: 'refresh',
      expiresAtMs: issuedAtMs + refreshLifetimeMs,
    }),
  }
}

/** The app is one from before 2025-09-25: it has to ask for refresh tokens that can be renewed without an end. */
export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri) ? undefined : 'The redirect URI is not one of those of the app.'
  const rules = { scopeSeparator: ',', codeLifetimeMs: 600_000, needsChallenge: false, findProblem }

  const answer = ({ access, refresh }: Pair, kind: string): Reply =>
    json(200, {
      response_type: kind,
      access_token: access.value,
      token_type: 'bearer',
      expires_in: Math.round((access.expiresAtMs - context.now()) / 1000),
      refresh_token: refresh.value,
      refresh_token_expires_in: refreshLifetimeMs / 1000,
      refresh_token_expires_at: Math.round(refresh.expiresAtMs / 1000),
      scope: [...(access.scopes ?? [])].join(' '),
    })

  const exchange = (fields: Record<string, unknown>, clientId: string): Reply => {
    const proof = { clientId, redirectUri: textOf(fields['redirect_uri']), verifier: undefined, nowMs: context.now() }
    const grant = codes.redeem(textOf(fields['code']), proof)
    if (!grant) throw refusal(400, 283, 'Invalid grant.')
    if (fields['continuous_refresh'] !== 'true') throw refusal(400, 1, 'Legacy refresh tokens are no longer supported.')
    return answer(issuePair(context, grant.account, new Set(grant.scopes)), 'authorization_code')
  }

  /** The answer has a new refresh token, and the one before is used up. */
  const renew = (fields: Record<string, unknown>): Reply => {
    const used = context.tokens.find(textOf(fields['refresh_token']))
    if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live') throw refusal(400, 283, 'Invalid grant.')
    used.revoked = true
    return answer(issuePair(context, used.account, used.scopes), 'refresh_token')
  }

  const token = (call: Call): Reply => {
    const [clientId, clientSecret] = basicOf(call)
    if (clientId === undefined || !context.acceptsApp(clientId, clientSecret)) return failure(401)
    const { fields = {} } = call
    if (fields['grant_type'] === 'authorization_code') return exchange(fields, clientId)
    if (fields['grant_type'] === 'refresh_token') return renew(fields)
    return failure(400, 1, 'Invalid request: grant_type')
  }

  // Only for tokens of system users.
  const revoke = (): Reply => failure(403)
  const paths = { authorize: '/oauth/', token: '/v5/oauth/token', revoke: '/v5/oauth/token/revoke' }
  return oauthEndpointRoutes(context, { platform, codes, rules, paths, token, revoke })
}

function basicOf({ headers: { authorization: header } }: Call): [id: string | undefined, secret: string | undefined] {
  if (header?.startsWith('Basic ') !== true) return [undefined, undefined]
  const [id, ...secret] = Buffer.from(header.slice(6), 'base64').toString('utf8').split(':')
  return [id, secret.join(':')]
}
