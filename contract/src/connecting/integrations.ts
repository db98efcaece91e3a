import { Type } from 'typebox'
import { Connection } from '../connections.ts'
import { endpoint } from '../endpoint.ts'
import { StrictObject, Timestamp } from '../primitives.ts'

const PlatformParam = StrictObject({ platform: Type.String({ minLength: 1, maxLength: 32 }) })
const common = {
  base: 'host',
  scope: 'workspaces:write',
  role: 'admin',
  workspace: 'header',
  method: 'POST',
  params: PlatformParam,
} as const

const instanceUrl = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The server that hosts the account, for platforms with many servers',
  }),
)
const connectionId = Type.Optional(
  Type.String({ maxLength: 64, description: 'The connection to renew; the account must be the same' }),
)

const connectErrors = [
  'platform_not_found',
  'platform_not_configured',
  'connection_not_found',
  'url_refused',
  'connect_refused',
] as const

/**
 * Connecting accounts, beside the API: the API itself creates no connection. A person agrees on the platform's page, or gives an app
 * password for it.
 */
export const integrations = {
  start: endpoint({
    ...common,
    id: 'integrations.start',
    path: '/integrations/:platform/start',
    summary: 'Start connecting an account: returns the page of the platform on which its owner agrees',
    body: StrictObject({
      instanceUrl,
      connectionId,
      // Only a path on this server: otherwise the callback would be an open redirect.
      returnTo: Type.Optional(
        Type.String({ maxLength: 500, description: 'A path of this host, to which the browser goes with `attempt` afterwards' }),
      ),
    }),
    returns: StrictObject({
      authorizeUrl: Type.String({ description: 'The page to open in the browser of the account’s owner' }),
      expiresAt: Timestamp,
    }),
    ok: 200,
    errors: connectErrors,
    audit: null,
  }),
  password: endpoint({
    ...common,
    id: 'integrations.password',
    path: '/integrations/:platform/password',
    summary: 'Connect an account with the fields that its owner filled in, on platforms that have no page for it',
    body: StrictObject({
      fields: Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
        description: 'By the names in `connect.fields` of `GET /platforms`',
      }),
      instanceUrl,
      connectionId,
    }),
    returns: Connection,
    ok: 201,
    errors: [...connectErrors, 'connect_account_differs'],
    audit: 'connection.connect',
  }),
}
