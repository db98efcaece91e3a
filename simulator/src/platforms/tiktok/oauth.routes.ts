import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, refuse, type Reply } from '../../http/reply.ts'
import { authorize } from '../../oauth/authorize.ts'
import { Codes } from '../../oauth/authorization-codes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import { randomToken } from '../../state/ids.ts'
import type { Realm } from '../../state/platform-context.ts'
import { stateOf } from '../../state/tokens.ts'

const hourMs = 3_600_000
/** One page says 24 hours, the newer one 2: an app must read `expires_in`, so here it is the shorter. */
const accessLifetimeMs = 2 * hourMs
const refreshLifetimeMs = 365 * 24 * hourMs
const rules = { scopeSeparator: ',', codeLifetimeMs: hourMs, needsChallenge: false, clientIdName: 'client_key' }

export function issuePair(realm: Realm, account: Account, scopes?: Set<string>) {
  const issuedAtMs = realm.now()
  const common = { account, scopes, issuedAtMs }
  return {
    access: realm.tokens.issue({
      ...common,
      value: `act.${randomToken()}`,
      kind: 'access',
      expiresAtMs: issuedAtMs + accessLifetimeMs,
    }),
    refresh: realm.tokens.issue({
      ...common,
      value: `rft.${randomToken()}`,
      kind: 'refresh',
      expiresAtMs: issuedAtMs + refreshLifetimeMs,
    }),
  }
}

/** `platform` is asked for late: the routes are part of what it is made of. */
export function oauthRoutes(realm: Realm, platform: () => Platform): Route[] {
  const codes = new Codes()
  const refuseGrant = (error: string, error_description: string, status = 400) =>
    refuse(status, { error, error_description, log_id: randomToken(12) })

  const answer = (account: Account, scopes: Set<string> | undefined): Reply => {
    const { access, refresh } = issuePair(realm, account, scopes)
    return json(200, {
      open_id: account.id,
      scope: [...(scopes ?? [])].join(','),
      access_token: access.value,
      expires_in: accessLifetimeMs / 1000,
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
      nowMs: realm.now(),
    })
    if (!grant) throw refuseGrant('invalid_grant', 'Authorization code is expired.')
    return answer(grant.account, new Set(grant.scopes))
  }

  /** The old refresh token dies with its use. A dead one is refused in a body, under a status that says all is well. */
  const refresh = (fields: Call['fields'] = {}): Reply => {
    const spent = realm.tokens.find(textOf(fields['refresh_token']))
    if (spent?.kind !== 'refresh' || stateOf(spent, realm.now()) !== 'live')
      throw refuseGrant('invalid_grant', 'Refresh token is invalid or expired.', 200)
    spent.revoked = true
    return answer(spent.account, spent.scopes)
  }

  const token = (call: Call): Reply => {
    const fields = call.fields ?? {}
    if (textOf(fields['client_key']) === undefined || textOf(fields['client_secret']) === undefined)
      throw refuseGrant('invalid_client', 'Client key or secret is incorrect.', 401)
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    throw refuseGrant('unsupported_grant_type', 'The grant type is not supported.')
  }

  const revoke = (call: Call): Reply => {
    const found = realm.tokens.find(textOf(call.fields?.['token']))
    if (found) realm.tokens.revoke(found.account)
    return json(200, {})
  }

  const whose = (call: Call) => {
    const fields = call.fields ?? {}
    const brought = realm.tokens.find(textOf(fields['refresh_token']) ?? textOf(fields['token']))
    return brought?.account ?? codes.find(textOf(fields['code']))?.account
  }
  return [
    {
      method: 'GET',
      path: '/v2/auth/authorize/',
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'POST', path: '/v2/oauth/token/', operation: 'token', open: true, whose, answer: token },
    { method: 'POST', path: '/v2/oauth/revoke/', operation: 'token', open: true, whose, answer: revoke },
  ]
}
