import type { Call } from '../http/call.ts'
import { html, redirect, type Reply } from '../http/reply.ts'
import { openAccount, type Platform } from '../platform.ts'
import type { AuthorizationCodes } from './authorization-codes.ts'
import { consentPage } from './consent-page.ts'

export type AuthorizeRules = {
  scopeSeparator: string
  codeLifetimeMs: number
  needsChallenge: boolean
  /** The name of the client id parameter, if it is not `client_id`. */
  clientIdName?: string
  /** Returns a message for the user if the client or the redirect URI is not registered. */
  findProblem?: (clientId: string, redirectUri: string) => string | undefined
}

/** The consent page. With `auto=1` it grants access at once for the account `handle`, so that tests need no browser. */
export function authorize(
  platform: Platform,
  call: Call,
  { codes, rules }: { codes: AuthorizationCodes; rules: AuthorizeRules },
): Reply {
  const { query } = call
  const clientId = query.get(rules.clientIdName ?? 'client_id')
  const redirectUri = query.get('redirect_uri')
  if (clientId === null || redirectUri === null || !URL.canParse(redirectUri)) {
    return html(400, `${rules.clientIdName ?? 'client_id'} and a valid redirect_uri are required`)
  }
  // Redirect nowhere until the redirect URI is known to belong to the client.
  const problem = rules.findProblem?.(clientId, redirectUri)
  if (problem !== undefined) return html(400, problem)

  const redirectBack = (answer: Record<string, string>) => {
    const target = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value)
    const state = query.get('state')
    if (state !== null) target.searchParams.set('state', state)
    return redirect(target.href)
  }
  if (query.get('deny') === '1') return redirectBack({ error: 'access_denied', error_description: 'The user denied access.' })
  const challenge = query.get('code_challenge') ?? undefined
  if (query.get('response_type') !== 'code' || (rules.needsChallenge && challenge === undefined))
    return redirectBack({ error: 'invalid_request' })
  if (query.get('auto') !== '1') return consentPage(platform, query)

  const account = openAccount(platform, query.get('handle') ?? 'demo')
  const scopes = (query.get('scope') ?? '').split(rules.scopeSeparator).filter((scope) => scope !== '')
  const challengeMethod = query.get('code_challenge_method') ?? 'plain'
  const expiresAtMs = platform.context.now() + rules.codeLifetimeMs
  return redirectBack({ code: codes.issue({ account, clientId, redirectUri, scopes, challenge, challengeMethod, expiresAtMs }) })
}
