import { Type } from 'typebox'
import type { OAuth2 } from '../kit/auth.ts'
import { requireRefreshToken, Token, toCredentials } from '../kit/oauth2.ts'
import { classify } from './errors.ts'
import { inboxScope } from './inbox.ts'
import { OAuthFailure } from './wire.ts'

const scopes = ['user.info.basic', 'user.info.profile', 'video.publish', 'video.list']

const tokenUrl = '/v2/oauth/token/'

/** A refresh token works once: the new one in the answer must be stored before anything else happens. */
export const auth: OAuth2 = {
  kind: 'oauth2',
  authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/',
  tokenUrl,
  revokeUrl: '/v2/oauth/revoke/',
  revokedToken: 'access',
  scopes,
  // To ask for a permission that the app has no approval for refuses the whole authorization.
  vettedScopes: [...scopes, inboxScope],
  scopeSeparator: ',',
  pkce: false,
  perInstance: false,
  clientAuth: 'form',
  clientIdName: 'client_key',
  portalUrl: 'https://developers.tiktok.com/apps',
  // All workspaces share the operator's app: TikTok always shows its consent page.
  authorizeParameters: { disable_auto_auth: '1' },

  async renew(renewal) {
    const { http, nowMs } = renewal
    const { refreshToken, app } = requireRefreshToken('TikTok', renewal)
    const form = {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_key: app.clientId,
      client_secret: app.clientSecret,
    }
    const returns = Type.Union([Token, OAuthFailure])
    const body = await http.call({ method: 'POST', path: tokenUrl, form, anonymous: true, returns })
    if ('error' in body) throw classify({ status: 400, headers: {}, body }, nowMs)
    return { refreshToken, ...toCredentials(body, nowMs) }
  },
}
