import type { Call } from '../../http/call.ts'
import { json, Refusal } from '../../http/reply.ts'
import { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { authorize } from '../../oauth/authorize.ts'
import type { Platform, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { badToken, graphError, tokenMessages } from './graph-errors.ts'

const shortLifetimeMs = 3_600_000
const longLifetimeMs = 60 * 86_400_000
const refreshableAfterMs = 86_400_000

/** The prefix of a platform's tokens and the names of its two grant types. */
export type TokenNames = { prefix: string; exchange: string; refresh: string }

type Issued = { account: Account; scopes?: Set<string> | undefined; ageMs?: number; lifetimeMs?: number }

export function issueToken(context: PlatformContext, prefix: string, issued: Issued): Token {
  const { account, scopes, ageMs = 0, lifetimeMs = longLifetimeMs } = issued
  const issuedAtMs = context.now() - ageMs
  // The age is backdated so that the token can be refreshed. A lifetime that a test has set starts now in any case.
  const startsAtMs = context.settings.accessTokenSeconds === null ? issuedAtMs : context.now()
  const expiresAtMs = startsAtMs + context.accessLifetimeMs(lifetimeMs)
  const value = `${prefix}${randomToken()}`
  return context.tokens.issue({ value, kind: 'access', account, issuedAtMs, expiresAtMs, scopes })
}

/** Sign-in returns a token valid for an hour. It is exchanged for one valid for sixty days, which can be refreshed until it expires. */
export function longTokenRoutes(context: PlatformContext, names: TokenNames, platform: () => Platform): Route[] {
  const codes = new AuthorizationCodes()
  const findProblem = (clientId: string, redirectUri: string) =>
    context.acceptsRedirect(clientId, redirectUri)
      ? undefined
      : 'Invalid Request: Request parameters are invalid: Invalid redirect_uri'
  const rules = { scopeSeparator: ',', codeLifetimeMs: 3_600_000, needsChallenge: false, findProblem }

  /** Each product has an app id and secret of its own. Instagram names another product's id in a form of error that only it has. */
  const checkApp = (call: Call) => {
    const { app = null } = context.settings
    if (app === null) return
    if (call.parameter('client_id') !== app.clientId && names.prefix === 'IG')
      throw new Refusal(json(400, { error_type: 'OAuthException', code: 400, error_message: 'Invalid platform app' }))
    checkGraphApp(context, call, names.prefix === 'IG' ? 100 : 1)
  }

  const exchangeCode = (call: Call) => {
    checkApp(call)
    const proof = {
      clientId: call.parameter('client_id'),
      redirectUri: call.parameter('redirect_uri'),
      verifier: undefined,
      nowMs: context.now(),
    }
    const grant = call.parameter('client_secret') === undefined ? undefined : codes.redeem(call.parameter('code'), proof)
    if (!grant) throw new Refusal(graphError(400, { message: 'Invalid verification code format.', code: 100 }))
    const { account } = grant
    const token = issueToken(context, names.prefix, { account, scopes: new Set(grant.scopes), lifetimeMs: shortLifetimeMs })
    // Instagram's page about business login shows a list with one token, and one text with all permissions.
    if (names.prefix === 'IG')
      return json(200, { data: [{ access_token: token.value, user_id: account.id, permissions: grant.scopes.join(',') }] })
    return json(200, { access_token: token.value, user_id: account.id, permissions: grant.scopes })
  }

  /** developers.facebook.com, "App access tokens" of Threads. Instagram has none. */
  const issueAppToken = (call: Call) => {
    if (names.prefix === 'IG' || call.parameter('grant_type') !== 'client_credentials') throw unsupported()
    checkApp(call)
    return json(200, { access_token: `TH|${call.parameter('client_id')}|${randomToken()}`, token_type: 'bearer' })
  }

  const load = (call: Call): Token => checkLiveToken(context, context.tokens.find(call.parameter('access_token')))
  const answerLong = ({ account, scopes }: Token) => {
    const token = issueToken(context, names.prefix, { account, scopes })
    return json(200, {
      access_token: token.value,
      token_type: 'bearer',
      expires_in: context.accessLifetimeMs(longLifetimeMs) / 1000,
    })
  }

  const exchangeShort = (call: Call) => {
    const token = load(call)
    if (call.parameter('grant_type') !== names.exchange || call.parameter('client_secret') === undefined) throw unsupported()
    return answerLong(token)
  }

  /** A token can be refreshed once it is a day old, and until it expires. */
  const refresh = (call: Call) => {
    const token = load(call)
    if (call.parameter('grant_type') !== names.refresh) throw unsupported()
    if (context.now() - token.issuedAtMs < refreshableAfterMs) {
      const message = 'The access token must be at least 24 hours old to be refreshed.'
      throw new Refusal(graphError(400, { message, code: 100 }))
    }
    return answerLong(token)
  }

  const findAccount = (call: Call) => codes.find(call.parameter('code'))?.account
  return [
    {
      method: 'GET',
      path: '/oauth/authorize',
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'POST', path: '/oauth/access_token', operation: 'token', open: true, findAccount, answer: exchangeCode },
    { method: 'GET', path: '/oauth/access_token', operation: 'token', open: true, answer: issueAppToken },
    { method: 'GET', path: '/access_token', operation: 'token', open: true, answer: exchangeShort },
    { method: 'GET', path: '/refresh_access_token', operation: 'token', open: true, answer: refresh },
  ]
}

/** The id and secret of the app in a request for a token. Without a registered app, every one is right. */
export function checkGraphApp(context: PlatformContext, call: Call, secretCode = 1): void {
  const { app = null } = context.settings
  if (app === null) return
  if (call.parameter('client_id') !== app.clientId) {
    const message = 'Error validating application. Cannot get application info due to a system error.'
    throw new Refusal(graphError(400, { message, code: 101 }))
  }
  if (call.parameter('client_secret') !== app.clientSecret)
    throw new Refusal(graphError(400, { message: 'Error validating client secret.', code: secretCode }))
}

export function unsupported(): Refusal {
  return new Refusal(graphError(400, { message: 'Missing or unsupported grant_type or client_secret', code: 100 }))
}

export function checkLiveToken(context: PlatformContext, token: Token | undefined): Token {
  if (!token) throw badToken(467, tokenMessages.unknown)
  const state = stateOf(token, context.now())
  if (state === 'expired') throw badToken(463, tokenMessages.expired)
  if (state === 'revoked') throw badToken(458, tokenMessages.revoked)
  return token
}

export function checkToken(context: PlatformContext, token: Token | undefined, scope: string | undefined): Token {
  const checked = checkLiveToken(context, token)
  if (scope === undefined || checked.scopes === undefined || checked.scopes.has(scope)) return checked
  throw new Refusal(graphError(403, { message: 'Application does not have permission for this action', code: 10 }))
}
