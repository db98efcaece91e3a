import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'

const endpoint = { tokenUrl: '/2/oauth2/token', clientAuth: 'basic' } as const

/** A refresh token works once: the new one in the answer must be stored before anything else happens. */
export const auth: OAuth2 = {
  ...endpoint,
  kind: 'oauth2',
  authorizeUrl: 'https://x.com/i/oauth2/authorize',
  revokeUrl: '/2/oauth2/revoke',
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
  scopeSeparator: ' ',
  pkce: true,
  perInstance: false,
  portalUrl: 'https://console.x.com',
  allowsOwnApp: true,

  renew: (renewal) => refreshCredentials(endpoint, 'X', renewal),
}
