import { createHmac, randomBytes } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf, type Token, type TokenKind } from '../../state/tokens.ts'
import { invalidRequest, unauthorized } from './errors.ts'

const lifetimesMs: Record<TokenKind, number> = { access: 7_200_000, refresh: 90 * 86_400_000 }
const key = randomBytes(32)

/** Handles are domain names. A handle without a dot becomes a subdomain of `bsky.test`. */
export function domainOf(handle: string): string {
  return handle.includes('.') ? handle : `${handle}.bsky.test`
}

export function findByName(context: PlatformContext, name: string): Account | undefined {
  return (
    context.accounts.findById(name) ?? context.accounts.find(name) ?? context.accounts.find(name.replace(/\.bsky\.test$/, ''))
  )
}

export function issueSession(context: PlatformContext, account: Account): { access: Token; refresh: Token } {
  return { access: issue(context, account, 'access'), refresh: issue(context, account, 'refresh') }
}

/** A decodable JWT, because clients read `exp`. Its signature is never verified and only makes tokens differ. */
function issue(context: PlatformContext, account: Account, kind: TokenKind): Token {
  const issuedAtMs = context.now()
  const lifetimeMs = kind === 'access' ? context.accessLifetimeMs(lifetimesMs.access) : lifetimesMs.refresh
  const expiresAtMs = issuedAtMs + lifetimeMs
  const head = { typ: kind === 'access' ? 'at+jwt' : 'refresh+jwt', alg: 'HS256' }
  const times = { iat: Math.floor(issuedAtMs / 1000), exp: Math.floor(expiresAtMs / 1000) }
  const scope = kind === 'access' ? 'com.atproto.appPass' : 'com.atproto.refresh'
  const claims = { scope, sub: account.id, ...times, aud: 'did:web:bsky.test', jti: randomBytes(12).toString('base64url') }
  const signed = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const value = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  return context.tokens.issue({ value, kind, account, issuedAtMs, expiresAtMs })
}

export function checkToken(context: PlatformContext, token: Token | undefined, kind: TokenKind): Token {
  if (!token) throw invalidRequest('Token could not be verified', 'InvalidToken')
  if (token.kind !== kind) throw invalidRequest('Bad token scope', 'InvalidToken')
  const state = stateOf(token, context.now())
  if (state === 'expired') throw invalidRequest('Token has expired', 'ExpiredToken')
  if (state === 'revoked')
    throw kind === 'refresh'
      ? invalidRequest('Token has been revoked', 'ExpiredToken')
      : invalidRequest('Token could not be verified', 'InvalidToken')
  return token
}

export function sessionRoutes(context: PlatformContext): Route[] {
  const answer = (account: Account) => {
    const { access, refresh } = issueSession(context, account)
    const who = { did: account.id, handle: domainOf(account.handle), active: true }
    return json(200, { ...who, accessJwt: access.value, refreshJwt: refresh.value, didDoc: didDocument(context, account) })
  }
  const named = (call: Call) => findByName(context, textOf(call.fields?.['identifier']) ?? '')

  const create = (call: Call) => {
    const account = named(call)
    if (!account || call.fields?.['password'] !== account.password) throw unauthorized('Invalid identifier or password')
    return answer(account)
  }

  /** The real server accepts a rotated token for two more hours. The simulator refuses it at once, which is stricter. */
  const refresh = (call: Call) => {
    const bearer = call.bearer()
    if (bearer === undefined) throw unauthorized('Authentication Required', 'AuthMissing')
    const token = checkToken(context, context.tokens.find(bearer), 'refresh')
    if (context.settings.singleUseRefreshTokens === true) token.revoked = true
    return answer(token.account)
  }

  const end = (call: Call) => {
    const token = checkToken(context, context.tokens.find(call.bearer()), 'refresh')
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
      findAccount: named,
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
        json(200, {
          did: account.id,
          handle: domainOf(account.handle),
          email: `${account.handle}@people.example`,
          emailConfirmed: true,
          active: true,
          didDoc: didDocument(context, account),
        }),
    },
  ]
}

function didDocument(context: PlatformContext, { id, handle }: Account) {
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id,
    alsoKnownAs: [`at://${domainOf(handle)}`],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: context.origin }],
  }
}
