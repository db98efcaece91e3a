import type { OAuth2 } from '../kit/auth.ts'
import { RegisteredApp } from './wire.ts'

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

  async register(http, { name, redirectUrl, website }) {
    const json = { client_name: name, redirect_uris: redirectUrl, scopes: scopes.join(' '), website }
    const app = await http.call({ method: 'POST', path: '/api/v1/apps', json, anonymous: true, returns: RegisteredApp })
    return { clientId: app.client_id, clientSecret: app.client_secret }
  },
}
