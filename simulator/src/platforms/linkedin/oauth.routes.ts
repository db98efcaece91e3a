import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, refuse, type Reply } from '../../http/reply.ts'
import { authorize } from '../../oauth/authorize.ts'
import { Codes } from '../../oauth/authorization-codes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import { randomToken } from '../../state/ids.ts'
import type { Realm } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'

const dayMs = 86_400_000
const accessLifetimeMs = 60 * dayMs
const refreshLifetimeMs = 365 * dayMs
const rules = { scopeSeparator: ' ', codeLifetimeMs: 1_800_000, needsChallenge: false }

type Grant = { account: Account; scopes?: Set<string> | undefined }

export function issueAccess(realm: Realm, { account, scopes }: Grant, endsAtMs = Infinity): Token {
  const issuedAtMs = realm.now()
  const expiresAtMs = Math.min(endsAtMs, issuedAtMs + accessLifetimeMs)
  return realm.tokens.issue({ value: `AQ${randomToken(360)}`, kind: 'access', account, scopes, issuedAtMs, expiresAtMs })
}

export function issueRefresh(realm: Realm, { account, scopes }: Grant): Token {
  const issuedAtMs = realm.now()
  const expiresAtMs = issuedAtMs + refreshLifetimeMs
  return realm.tokens.issue({ value: `AQ${randomToken(360)}`, kind: 'refresh', account, scopes, issuedAtMs, expiresAtMs })
}

/** `platform` is asked for late: the routes are part of what it is made of. */
export function oauthRoutes(realm: Realm, platform: () => Platform): Route[] {
  const codes = new Codes()
  const secondsTo = (atMs: number) => Math.round((atMs - realm.now()) / 1000)

  const answer = (grant: Grant, refresh: Token): Reply => {
    const access = issueAccess(realm, grant, refresh.expiresAtMs)
    return json(200, {
      access_token: access.value,
      expires_in: secondsTo(access.expiresAtMs),
      refresh_token: refresh.value,
      refresh_token_expires_in: secondsTo(refresh.expiresAtMs),
      scope: [...(grant.scopes ?? [])].join(','),
    })
  }

  const exchange = (fields: Call['fields'] = {}) => {
    const grant = codes.redeem(textOf(fields['code']), {
      clientId: textOf(fields['client_id']),
      redirectUri: textOf(fields['redirect_uri']),
      verifier: undefined,
      nowMs: realm.now(),
    })
    if (!grant) throw refuse(400, { error: 'invalid_request', error_description: 'Unable to retrieve access token' })
    const granted = { account: grant.account, scopes: new Set(grant.scopes) }
    return answer(granted, issueRefresh(realm, granted))
  }

  /** The refresh token stays the same and ends on the day it was always going to end. */
  const refresh = (fields: Call['fields'] = {}) => {
    const token = realm.tokens.find(textOf(fields['refresh_token']))
    if (token?.kind !== 'refresh' || stateOf(token, realm.now()) !== 'live')
      throw refuse(400, {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant or refresh token is invalid',
      })
    return answer(token, token)
  }

  const token = (call: Call) => {
    const fields = call.fields ?? {}
    if (textOf(fields['client_id']) === undefined || textOf(fields['client_secret']) === undefined)
      throw refuse(401, { error: 'invalid_client', error_description: 'Client authentication failed' })
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    throw refuse(400, { error: 'unsupported_grant_type', error_description: 'The grant type is not supported' })
  }

  const revoke = (call: Call) => {
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
      path: '/oauth/v2/authorization',
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'POST', path: '/oauth/v2/accessToken', operation: 'token', open: true, whose, answer: token },
    { method: 'POST', path: '/oauth/v2/revoke', operation: 'token', open: true, whose, answer: revoke },
  ]
}
