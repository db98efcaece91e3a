import { Connection, endpoint } from '@carillon/contract'
import { Type } from 'typebox'

const closed = { additionalProperties: false }
const PlatformParam = Type.Object({ platform: Type.String({ minLength: 1, maxLength: 32 }) }, closed)
const common = { scope: 'workspaces:write', role: 'admin', workspace: 'header', params: PlatformParam, errors: [] } as const

const instanceUrl = Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The server the account lives on' }))
const connectionId = Type.Optional(
  Type.String({ maxLength: 64, description: 'The connection to renew; the account must be the same' }),
)
// Only a path on this server: otherwise the callback would be an open redirect. `prepareConnect` checks it.
const returnTo = Type.Optional(Type.String({ maxLength: 500 }))

/** The endpoints with which the web app connects accounts. They are not part of the public API, which cannot create connections. */
export const integrations = {
  start: endpoint({
    ...common,
    id: 'integrations.start',
    method: 'POST',
    path: '/integrations/:platform/start',
    summary: 'Start connecting an account: returns the URL of the consent page',
    body: Type.Object({ instanceUrl, connectionId, returnTo }, closed),
    returns: Type.Object({ authorizeUrl: Type.String(), expiresAt: Type.String() }, closed),
    ok: 200,
    audit: null,
  }),
  password: endpoint({
    ...common,
    id: 'integrations.password',
    method: 'POST',
    path: '/integrations/:platform/password',
    summary: 'Connect an account with the fields that its owner filled in',
    body: Type.Object({ fields: Type.Record(Type.String(), Type.String({ maxLength: 500 })), instanceUrl, connectionId }, closed),
    returns: Connection,
    ok: 201,
    audit: 'connection.connect',
  }),
  simulated: endpoint({
    scope: 'workspaces:write',
    role: 'admin',
    workspace: 'header',
    errors: [],
    id: 'integrations.simulated',
    method: 'POST',
    path: '/integrations/simulated',
    summary: 'Connect an account on every simulated platform',
    body: Type.Object({}, closed),
    returns: Type.Array(Connection),
    ok: 201,
    audit: 'connection.connect',
  }),
}
