import type { Call } from '../http/call.ts'
import { textOf } from '../http/fields.ts'
import type { Reply } from '../http/reply.ts'
import type { Platform, Route } from '../platform.ts'
import type { PlatformContext } from '../state/platform-context.ts'
import type { AuthorizationCodes } from './authorization-codes.ts'
import { authorize, type AuthorizeRules } from './authorize.ts'

export type OAuthEndpoints = {
  /** A function, because the platform does not exist yet while its routes are created. */
  platform: () => Platform
  codes: AuthorizationCodes
  rules: AuthorizeRules
  paths: { authorize: string; token: string; revoke: string }
  token: (call: Call) => Reply
  revoke: (call: Call) => Reply
}

/** The consent, token and revocation routes of OAuth 2.0. Each platform has its own paths and replies. */
export function oauthEndpointRoutes(context: PlatformContext, endpoints: OAuthEndpoints): Route[] {
  const { platform, codes, rules, paths, token, revoke } = endpoints
  const findAccount = ({ fields = {} }: Call) => {
    const sentToken = context.tokens.find(textOf(fields['refresh_token']) ?? textOf(fields['token']))
    return sentToken?.account ?? codes.find(textOf(fields['code']))?.account
  }
  return [
    {
      method: 'GET',
      path: paths.authorize,
      operation: 'other',
      open: true,
      answer: (call) => authorize(platform(), call, { codes, rules }),
    },
    { method: 'POST', path: paths.token, operation: 'token', open: true, findAccount, answer: token },
    { method: 'POST', path: paths.revoke, operation: 'token', open: true, findAccount, answer: revoke },
  ]
}
