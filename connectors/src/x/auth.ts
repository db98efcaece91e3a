import type { OAuth2 } from '../kit/auth.ts'
import { requestToken, toCredentials } from '../kit/oauth2.ts'
import { PlatformError } from '../kit/platform-error.ts'

const endpoint = { tokenUrl: '/2/oauth2/token', clientAuth: 'basic' } as const

/** Refresh tokens are single use: the answer's new one must be stored before anything else happens. */
export const auth: OAuth2 = {
  ...endpoint,
  kind: 'oauth2',
  authorizeUrl: 'https://x.com/i/oauth2/authorize',
  revokeUrl: '/2/oauth2/revoke',
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
  scopeSeparator: ' ',
  pkce: true,
  perInstance: false,

  async renew({ http, credentials, app, nowMs }) {
    const { refreshToken } = credentials
    if (refreshToken === undefined || app === null) {
      throw new PlatformError({
        kind: 'auth',
        platformCode: null,
        message: 'X gave no way to renew this connection. Reconnect the account.',
      })
    }
    const token = await requestToken(endpoint, http, app, { grant_type: 'refresh_token', refresh_token: refreshToken })
    return { refreshToken, ...toCredentials(token, nowMs) }
  },
}
