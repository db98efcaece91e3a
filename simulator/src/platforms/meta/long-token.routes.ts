import type { Call } from '../../http/call.ts'
import { json, Refusal } from '../../http/reply.ts'
import { authorize } from '../../oauth/authorize.ts'
import { Codes } from '../../oauth/authorization-codes.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import { randomToken } from '../../state/ids.ts'
import type { Realm } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { badToken, graphError, tokenSentences } from './graph-errors.ts'

const shortLifetimeMs = 3_600_000
const longLifetimeMs = 60 * 86_400_000
const refreshableAfterMs = 86_400_000
const rules = { scopeSeparator: ',', codeLifetimeMs: 3_600_000, needsChallenge: false }

/** How a platform's tokens begin, and what its two grants are called. */
export type TokenNames = { prefix: string; exchange: string; refresh: string }

type Issued = { account: Account; scopes?: Set<string> | undefined; ageMs?: number; lifetimeMs?: number }

export function issueToken(realm: Realm, prefix: string, issued: Issued): Token {
  const { account, scopes, ageMs = 0, lifetimeMs = longLifetimeMs } = issued
  const issuedAtMs = realm.now() - ageMs
  const value = `${prefix}${randomToken()}`
  return realm.tokens.issue({ value, kind: 'access', account, issuedAtMs, expiresAtMs: issuedAtMs + lifetimeMs, scopes })
}

/** Sign-in gives a token for an hour, which is exchanged for one of sixty days, which renews itself while it lives. */
export function longTokenRoutes(realm: Realm, names: TokenNames, platform: () => Platform): Route[] {
  const codes = new Codes()

  const exchangeCode = (call: Call) => {
    const proof = {
      clientId: call.parameter('client_id'),
      redirectUri: call.parameter('redirect_uri'),
      verifier: undefined,
      nowMs: realm.now(),
    }
    const grant = call.parameter('client_secret') === undefined ? undefined : codes.redeem(call.parameter('code'), proof)
    if (!grant) throw new Refusal(graphError(400, { message: 'Invalid verification code format.', code: 100 }))
    const { account } = grant
    const token = issueToken(realm, names.prefix, { account, scopes: new Set(grant.scopes), lifetimeMs: shortLifetimeMs })
    return json(200, { access_token: token.value, user_id: account.id, permissions: grant.scopes })
  }

  const load = (call: Call): Token => admitLiving(realm, realm.tokens.find(call.parameter('access_token')))
  const answerLong = ({ account, scopes }: Token) => {
    const token = issueToken(realm, names.prefix, { account, scopes })
    return json(200, { access_token: token.value, token_type: 'bearer', expires_in: longLifetimeMs / 1000 })
  }

  const exchangeShort = (call: Call) => {
    const token = load(call)
    if (call.parameter('grant_type') !== names.exchange || call.parameter('client_secret') === undefined) throw unsupported()
    return answerLong(token)
  }

  /** Only while it lives, and not on its first day. */
  const refresh = (call: Call) => {
    const token = load(call)
    if (call.parameter('grant_type') !== names.refresh) throw unsupported()
    if (realm.now() - token.issuedAtMs < refreshableAfterMs) {
      const message = 'The access token must be at least 24 hours old to be refreshed.'
      throw new Refusal(graphError(400, { message, code: 100 }))
    }
    return answerLong(token)
  }

  const whose = (call: Call) => codes.find(call.parameter('code'))?.account
  return [
    {
      method: 'GET',
      path: '/oauth/authorize',
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'POST', path: '/oauth/access_token', operation: 'token', open: true, whose, answer: exchangeCode },
    { method: 'GET', path: '/access_token', operation: 'token', open: true, answer: exchangeShort },
    { method: 'GET', path: '/refresh_access_token', operation: 'token', open: true, answer: refresh },
  ]
}

function unsupported(): Refusal {
  return new Refusal(graphError(400, { message: 'Missing or unsupported grant_type or client_secret', code: 100 }))
}

function admitLiving(realm: Realm, token: Token | undefined): Token {
  if (!token) throw badToken(467, tokenSentences.unknown)
  const state = stateOf(token, realm.now())
  if (state === 'expired') throw badToken(463, tokenSentences.expired)
  if (state === 'revoked') throw badToken(458, tokenSentences.revoked)
  return token
}

export function admitToken(realm: Realm, token: Token | undefined, scope: string | undefined): Token {
  const admitted = admitLiving(realm, token)
  if (scope === undefined || admitted.scopes === undefined || admitted.scopes.has(scope)) return admitted
  throw new Refusal(graphError(403, { message: 'Application does not have permission for this action', code: 10 }))
}
