import { createHmac, randomBytes } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import type { Realm } from '../../state/platform-context.ts'
import { stateOf, type Token, type TokenKind } from '../../state/tokens.ts'
import { invalidRequest, unauthorized } from './errors.ts'

const lifetimesMs: Record<TokenKind, number> = { access: 7_200_000, refresh: 90 * 86_400_000 }
const key = randomBytes(32)

/** Handles are domain names; one given without a dot gets the host of the simulator's own people. */
export function domainOf(handle: string): string {
  return handle.includes('.') ? handle : `${handle}.bsky.test`
}

export function findByName(realm: Realm, name: string): Account | undefined {
  return realm.accounts.findById(name) ?? realm.accounts.find(name) ?? realm.accounts.find(name.replace(/\.bsky\.test$/, ''))
}

export function issueSession(realm: Realm, account: Account): { access: Token; refresh: Token } {
  return { access: issue(realm, account, 'access'), refresh: issue(realm, account, 'refresh') }
}

/** A readable JWT, since clients look at `exp`; the signature only has to differ. */
function issue(realm: Realm, account: Account, kind: TokenKind): Token {
  const issuedAtMs = realm.now()
  const expiresAtMs = issuedAtMs + lifetimesMs[kind]
  const head = { typ: kind === 'access' ? 'at+jwt' : 'refresh+jwt', alg: 'HS256' }
  const times = { iat: Math.floor(issuedAtMs / 1000), exp: Math.floor(expiresAtMs / 1000) }
  const scope = kind === 'access' ? 'com.atproto.appPass' : 'com.atproto.refresh'
  const claims = { scope, sub: account.id, ...times, aud: 'did:web:bsky.test', jti: randomBytes(12).toString('base64url') }
  const signed = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const value = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  return realm.tokens.issue({ value, kind, account, issuedAtMs, expiresAtMs })
}

export function admitToken(realm: Realm, token: Token | undefined, kind: TokenKind): Token {
  if (!token) throw invalidRequest('Token could not be verified', 'InvalidToken')
  if (token.kind !== kind) throw invalidRequest('Bad token scope', 'InvalidToken')
  const state = stateOf(token, realm.now())
  if (state === 'expired') throw invalidRequest('Token has expired', 'ExpiredToken')
  if (state === 'revoked')
    throw kind === 'refresh'
      ? invalidRequest('Token has been revoked', 'ExpiredToken')
      : invalidRequest('Token could not be verified', 'InvalidToken')
  return token
}

export function sessionRoutes(realm: Realm): Route[] {
  const answer = (account: Account) => {
    const { access, refresh } = issueSession(realm, account)
    const who = { did: account.id, handle: domainOf(account.handle), active: true }
    return json(200, { ...who, accessJwt: access.value, refreshJwt: refresh.value, didDoc: didDocument(realm, account) })
  }
  const named = (call: Call) => findByName(realm, textOf(call.fields?.['identifier']) ?? '')

  const create = (call: Call) => {
    const account = named(call)
    if (!account || call.fields?.['password'] !== account.password) throw unauthorized('Invalid identifier or password')
    return answer(account)
  }

  /** The real server honours a rotated token for two hours more; here it is spent at once, which is the harder case. */
  const refresh = (call: Call) => {
    const bearer = call.bearer()
    if (bearer === undefined) throw unauthorized('Authentication Required', 'AuthMissing')
    const token = admitToken(realm, realm.tokens.find(bearer), 'refresh')
    token.revoked = true
    return answer(token.account)
  }

  const end = (call: Call) => {
    const token = admitToken(realm, realm.tokens.find(call.bearer()), 'refresh')
    token.revoked = true
    return json(200, {})
  }

  const signIns = [
    { limit: 'sessions', cost: 1 },
    { limit: 'sessionsDay', cost: 1 },
  ]
  const path = (name: string) => `/xrpc/com.atproto.server.${name}`
  return [
    {
      method: 'POST',
      path: path('createSession'),
      operation: 'token',
      open: true,
      whose: named,
      charges: signIns,
      answer: create,
    },
    {
      method: 'POST',
      path: path('refreshSession'),
      operation: 'token',
      open: true,
      charges: [{ limit: 'ip', cost: 1 }],
      answer: refresh,
    },
    {
      method: 'POST',
      path: path('deleteSession'),
      operation: 'token',
      open: true,
      charges: [{ limit: 'ip', cost: 1 }],
      answer: end,
    },
    {
      method: 'GET',
      path: path('getSession'),
      operation: 'account',
      charges: [{ limit: 'ip', cost: 1 }],
      handle: (_, { account }) =>
        json(200, { did: account.id, handle: domainOf(account.handle), active: true, didDoc: didDocument(realm, account) }),
    },
  ]
}

function didDocument(realm: Realm, { id, handle }: Account) {
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id,
    alsoKnownAs: [`at://${domainOf(handle)}`],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: realm.origin }],
  }
}
