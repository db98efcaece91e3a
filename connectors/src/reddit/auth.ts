import { Type } from 'typebox'
import type { OAuth2 } from '../kit/auth.ts'
import { endpointPath, requireRefreshToken, Token, toCredentials, withApp } from '../kit/oauth2.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'

export const origin = 'https://oauth.reddit.com'

const Refused = Type.Object({ error: Type.String() })

/** An access token is valid for an hour or a day. A refresh token has no end if it was asked for, and stays the same. */
export const auth: OAuth2 = {
  kind: 'oauth2',
  authorizeUrl: 'https://www.reddit.com/api/v1/authorize',
  tokenUrl: 'https://www.reddit.com/api/v1/access_token',
  revokeUrl: 'https://www.reddit.com/api/v1/revoke_token',
  // The refresh token ends the access tokens that it has given.
  revokedToken: 'refresh',
  apiOrigin: origin,
  scopes: ['identity', 'read', 'submit', 'flair', 'edit', 'history'],
  scopeSeparator: ' ',
  pkce: false,
  perInstance: false,
  clientAuth: 'basic',
  portalUrl: 'https://www.reddit.com/prefs/apps',
  // Otherwise there is no refresh token.
  authorizeParameters: { duration: 'permanent' },

  // A refresh token that is not known is a bad request without a reason, or an error with the status of a success.
  async renew(renewal) {
    const { refreshToken, app } = requireRefreshToken('Reddit', renewal)
    const { http, nowMs } = renewal
    const { form, headers } = withApp(auth, app, { grant_type: 'refresh_token', refresh_token: refreshToken })
    const path = endpointPath(auth.tokenUrl, auth, http)
    const returns = Type.Union([Token, Refused])
    try {
      const body = await http.call({ method: 'POST', path, form, headers, anonymous: true, returns })
      if ('access_token' in body) return { refreshToken, ...toCredentials(body, nowMs) }
      throw new PlatformError({ kind: 'auth', platformCode: body.error, ...because('reconnect') })
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== 'rejected') throw error
      throw new PlatformError({ kind: 'auth', platformCode: error.platformCode, ...because('reconnect'), cause: error })
    }
  },
}
