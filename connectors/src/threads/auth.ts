import type { OAuth2 } from '../kit/auth.ts'
import { longToken } from '../meta/long-token.ts'

export const auth: OAuth2 = {
  kind: 'oauth2',
  authorizeUrl: 'https://threads.com/oauth/authorize',
  tokenUrl: '/oauth/access_token',
  revokeUrl: null,
  scopes: [
    'threads_basic',
    'threads_content_publish',
    'threads_manage_replies',
    'threads_read_replies',
    'threads_manage_insights',
    'threads_delete',
  ],
  scopeSeparator: ',',
  pkce: false,
  perInstance: false,
  clientAuth: 'form',
  renewEarlyMs: 10 * 86_400_000,

  lengthen(renewal) {
    return longToken(renewal, '/access_token', { grant_type: 'th_exchange_token', client_secret: renewal.app?.clientSecret })
  },

  renew(renewal) {
    return longToken(renewal, '/refresh_access_token', { grant_type: 'th_refresh_token' })
  },
}
