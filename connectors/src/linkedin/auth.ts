import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'
import { listPages } from './account.ts'

export const origin = 'https://api.linkedin.com'

const endpoint = {
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  apiOrigin: origin,
  clientAuth: 'form',
} as const

/** Asking for another set of scopes ends every token given before, so each app keeps to one. */
export const auth: OAuth2 = {
  ...endpoint,
  kind: 'oauth2',
  authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
  revokeUrl: 'https://www.linkedin.com/oauth/v2/revoke',
  scopes: ['openid', 'profile', 'w_member_social'],
  vettedScopes: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
  scopeSeparator: ' ',
  pkce: false,
  perInstance: false,

  targets: listPages,

  // Only partners are given a refresh token. It does not change, and ends a year after the first yes.
  renew: (renewal) => refreshCredentials(endpoint, 'LinkedIn', renewal),
}
