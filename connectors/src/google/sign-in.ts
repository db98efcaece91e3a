import type { OAuth2 } from '../kit/auth.ts'

/**
 * The part of signing in that all platforms of Google share. An access token is valid for an hour. The refresh token stays the same, until
 * it was not used for six months.
 */
export const googleSignIn = {
  kind: 'oauth2',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revokeUrl: 'https://oauth2.googleapis.com/revoke',
  // Either token ends both, and only this one is still valid after an hour.
  revokedToken: 'refresh',
  scopeSeparator: ' ',
  pkce: true,
  perInstance: false,
  clientAuth: 'form',
  portalUrl: 'https://console.cloud.google.com/auth/clients',
  // Without these, Google gives a refresh token only the first time that a person agrees.
  authorizeParameters: { access_type: 'offline', prompt: 'consent' },
} as const satisfies Partial<OAuth2>
