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
import { invalid } from './errors.ts'

const dayMs = 86_400_000
const accessLifetimeMs = 356 * dayMs
const refreshLifetimeMs = 400 * dayMs

type App = { id: string; secret: string; redirectUri: string }

/** Scopes are whole: `write:statuses` is not one. */
const known = ['read', 'write', 'follow', 'push']

export function issuePair(context: PlatformContext, account: Account, scopes?: Set<string>) {
  const issuedAtMs = context.now()
  const common = { account, issuedAtMs, scopes }
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(accessLifetimeMs)
  return {
    access: context.tokens.issue({ ...common, value: randomToken(), kind: 'access', expiresAtMs }),
    refresh: context.tokens.issue({
      ...common,
      value: randomToken(),
      kind: 'refresh',
      expiresAtMs: issuedAtMs + refreshLifetimeMs,
    }),
  }
}

/** Passport of Laravel. Anybody may register an app; there is no way to give a token back. */
export function oauthRoutes(context: PlatformContext, platform: () => Platform): Route[] {
  const apps = context.createTable<App>('apps', { isClearedWithPosts: false })
  const codes = new AuthorizationCodes()
  const findProblem = (clientId: string, redirectUri: string) =>
    apps.get(clientId)?.redirectUri === redirectUri ? undefined : 'Client authentication failed'
  const rules = { scopeSeparator: ' ', codeLifetimeMs: 600_000, needsChallenge: false, findProblem }

  const register = ({ fields = {} }: Call) => {
    const [name, redirectUri] = [textOf(fields['client_name']), textOf(fields['redirect_uris'])]
    if (name === undefined || redirectUri === undefined) throw invalid('client_name', 'The client name field is required.')
    const app: App = { id: String(context.nextNumber()), secret: randomToken(), redirectUri }
    apps.set(app.id, app)
    const own = { id: app.id, name, website: null, redirect_uri: redirectUri }
    return json(200, { ...own, client_id: app.id, client_secret: app.secret, vapid_key: null })
  }

  const answer = (account: Account, scopes: Set<string> | undefined) => {
    const { access, refresh } = issuePair(context, account, scopes)
    const lifetimeMs = context.accessLifetimeMs(accessLifetimeMs)
    return json(200, {
      token_type: 'Bearer',
      expires_in: lifetimeMs / 1000,
      access_token: access.value,
      refresh_token: refresh.value,
    })
  }

  const token = ({ fields = {} }: Call) => {
    const app = apps.get(textOf(fields['client_id']) ?? '')
    if (!app || app.secret !== textOf(fields['client_secret']))
      throw refuse(401, {
        error: 'invalid_client',
        error_description: 'Client authentication failed',
        message: 'Client authentication failed',
      })
    if (fields['grant_type'] === 'refresh_token') {
      const used = context.tokens.find(textOf(fields['refresh_token']))
      if (used?.kind !== 'refresh' || stateOf(used, context.now()) !== 'live')
        throw refuse(401, {
          error: 'invalid_request',
          error_description: 'The refresh token is invalid.',
          hint: 'Token has been revoked',
        })
      used.revoked = true
      return answer(used.account, used.scopes)
    }
    const redirectUri = textOf(fields['redirect_uri'])
    const proof = { clientId: app.id, redirectUri, verifier: textOf(fields['code_verifier']), nowMs: context.now() }
    const grant = fields['grant_type'] === 'authorization_code' ? codes.redeem(textOf(fields['code']), proof) : undefined
    if (!grant) throw refuse(400, { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' })
    return answer(grant.account, new Set(grant.scopes))
  }

  const consent = (call: Call) => {
    const asked = (call.query.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
    if (asked.some((scope) => !known.includes(scope)))
      throw refuse(400, { error: 'invalid_scope', error_description: 'The requested scope is invalid, unknown, or malformed' })
    return authorize(platform(), call, { codes, rules })
  }

  const findAccount = ({ fields = {} }: Call) =>
    context.tokens.find(textOf(fields['refresh_token']))?.account ?? codes.find(textOf(fields['code']))?.account
  return [
    { method: 'POST', path: '/api/v1/apps', operation: 'other', open: true, answer: register },
    { method: 'GET', path: '/oauth/authorize', operation: 'other', open: true, answer: consent },
    { method: 'POST', path: '/oauth/token', operation: 'token', open: true, findAccount, answer: token },
  ]
}
