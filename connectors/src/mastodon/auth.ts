import type { OAuth2 } from '../kit/auth.ts'
import { registerApp } from '../mastodon-api/calls.ts'

const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']

/** Every server has its own API and apps: Carillon registers an app there by API. Tokens do not expire. */
export const auth: OAuth2 = {
  kind: 'oauth2',
  authorizeUrl: '/oauth/authorize',
  tokenUrl: '/oauth/token',
  revokeUrl: '/oauth/revoke',
  scopes,
  scopeSeparator: ' ',
  pkce: true,
  perInstance: true,
  clientAuth: 'form',
  // All workspaces share the app of an instance, and Mastodon skips its consent page for people who have agreed to an app before.
  authorizeParameters: { force_login: 'true' },
  metadataPath: '/.well-known/oauth-authorization-server',

  register: (http, app) => registerApp(http, app, scopes),
}
