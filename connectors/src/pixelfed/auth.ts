import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'
import { registerApp } from '../mastodon-api/calls.ts'

const endpoint = { tokenUrl: '/oauth/token', clientAuth: 'form' } as const

const dayMs = 86_400_000

/** Scopes are whole: Pixelfed knows no `write:statuses`. */
const scopes = ['read', 'write']

/**
 * Every server has its own API and apps: Carillon registers an app there by API. A token is valid for 356 days and its refresh token for 400, if the
 * server has not changed that; both are renewed ahead of the first.
 */
export const auth: OAuth2 = {
  ...endpoint,
  kind: 'oauth2',
  authorizeUrl: '/oauth/authorize',
  revokeUrl: null,
  scopes,
  scopeSeparator: ' ',
  pkce: true,
  perInstance: true,
  renewEarlyMs: 30 * dayMs,

  register: (http, app) => registerApp(http, app, scopes),
  renew: (renewal) => refreshCredentials(endpoint, 'Pixelfed', renewal),
}
