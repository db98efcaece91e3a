import type { Call } from '../http/call.ts'
import { html, redirect, type Reply } from '../http/reply.ts'
import { openAccount, type Platform } from '../platform.ts'
import type { Codes } from './authorization-codes.ts'
import { consentPage } from './consent-page.ts'

export type AuthorizeRules = {
  scopeSeparator: string
  codeLifetimeMs: number
  needsChallenge: boolean
  /** Where it is not `client_id`. */
  clientIdName?: string
  /** A sentence for the person when this client or address is not known. */
  findFault?: (clientId: string, redirectUri: string) => string | undefined
}

/** The consent screen. `auto=1` presses the button, so tests need no browser; `handle` says as whom. */
export function authorize(platform: Platform, call: Call, { codes, rules }: { codes: Codes; rules: AuthorizeRules }): Reply {
  const { query } = call
  const clientId = query.get(rules.clientIdName ?? 'client_id')
  const redirectUri = query.get('redirect_uri')
  if (clientId === null || redirectUri === null || !URL.canParse(redirectUri)) {
    return html(400, `${rules.clientIdName ?? 'client_id'} and a valid redirect_uri are required`)
  }
  // Until client and address are known to belong together, nothing may be sent to that address.
  const fault = rules.findFault?.(clientId, redirectUri)
  if (fault !== undefined) return html(400, fault)

  const back = (answer: Record<string, string>) => {
    const target = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value)
    const state = query.get('state')
    if (state !== null) target.searchParams.set('state', state)
    return redirect(target.href)
  }
  if (query.get('deny') === '1') return back({ error: 'access_denied', error_description: 'The person refused.' })
  const challenge = query.get('code_challenge') ?? undefined
  if (query.get('response_type') !== 'code' || (rules.needsChallenge && challenge === undefined))
    return back({ error: 'invalid_request' })
  if (query.get('auto') !== '1') return html(200, consentPage(platform, query))

  const account = openAccount(platform, query.get('handle') ?? 'demo')
  const scopes = (query.get('scope') ?? '').split(rules.scopeSeparator).filter((scope) => scope !== '')
  const challengeMethod = query.get('code_challenge_method') ?? 'plain'
  const expiresAtMs = platform.realm.now() + rules.codeLifetimeMs
  return back({ code: codes.grant({ account, clientId, redirectUri, scopes, challenge, challengeMethod, expiresAtMs }) })
}
