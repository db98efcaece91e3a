import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'

export const origin = 'https://api.pinterest.com'

const dayMs = 86_400_000

/**
 * An access token is valid for 30 days. A refresh token is valid for 60, and once: each renewal gives a new one. There is no call to give the
 * permission back; a person removes the app in the settings of Pinterest.
 */
export const auth: OAuth2 = {
  kind: 'oauth2',
  authorizeUrl: 'https://www.pinterest.com/oauth/',
  // On the server that is in use: the sandbox takes no token of the other one.
  tokenUrl: '/v5/oauth/token',
  revokeUrl: null,
  scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
  scopeSeparator: ',',
  pkce: false,
  perInstance: false,
  clientAuth: 'basic',
  portalUrl: 'https://developers.pinterest.com/apps/',
  // Apps from before 2025-09-25 get no refresh token that can be renewed without it.
  codeFields: { continuous_refresh: 'true' },
  refreshLastsMs: 60 * dayMs,

  renew: (renewal) => refreshCredentials(auth, 'Pinterest', renewal),
}
