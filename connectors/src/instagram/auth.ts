import type { OAuth2 } from '../kit/auth.ts'
import { longToken } from '../meta/long-token.ts'

export const origin = 'https://graph.instagram.com'

export const auth: OAuth2 = {
  kind: 'oauth2',
  authorizeUrl: 'https://www.instagram.com/oauth/authorize',
  tokenUrl: 'https://api.instagram.com/oauth/access_token',
  apiOrigin: origin,
  revokeUrl: null,
  scopes: [
    'instagram_business_basic',
    'instagram_business_content_publish',
    'instagram_business_manage_comments',
    'instagram_business_manage_insights',
  ],
  scopeSeparator: ',',
  pkce: false,
  perInstance: false,
  clientAuth: 'form',
  renewEarlyMs: 10 * 86_400_000,

  lengthen(renewal) {
    return longToken(renewal, '/access_token', { grant_type: 'ig_exchange_token', client_secret: renewal.app?.clientSecret })
  },

  renew(renewal) {
    return longToken(renewal, '/refresh_access_token', { grant_type: 'ig_refresh_token' })
  },
}
