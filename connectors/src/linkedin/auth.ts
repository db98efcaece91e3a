import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'
import { listPages } from './account.ts'

export const origin = 'https://api.linkedin.com'

const endpoint = {
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  apiOrigin: origin,
  clientAuth: 'form',
} as const

/** Requesting a different set of scopes revokes all earlier tokens, so each app always requests the same set. */
export const auth: OAuth2 = {
  ...endpoint,
  kind: 'oauth2',
  authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
  revokeUrl: 'https://www.linkedin.com/oauth/v2/revoke',
  scopes: ['openid', 'profile', 'w_member_social'],
  // Comments have scopes of their own, which end in `_feed`.
  vettedScopes: [
    'w_organization_social',
    'r_organization_social',
    'w_organization_social_feed',
    'r_organization_social_feed',
    'rw_organization_admin',
  ],
  scopeSeparator: ' ',
  pkce: false,
  perInstance: false,
  portalUrl: 'https://www.linkedin.com/developers/apps',

  targets: listPages,

  // Only partner apps receive a refresh token. It stays the same, and expires a year after the authorization.
  renew: (renewal) => refreshCredentials(endpoint, 'LinkedIn', renewal),
}
