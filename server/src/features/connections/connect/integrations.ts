import { Connection, endpoint } from '@carillon/contract'
import { Type } from 'typebox'

const closed = { additionalProperties: false }
const PlatformParam = Type.Object({ platform: Type.String({ minLength: 1, maxLength: 32 }) }, closed)
const common = { scope: 'workspaces:write', role: 'admin', workspace: 'header', params: PlatformParam, errors: [] } as const

const instanceUrl = Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The server the account lives on' }))
const connectionId = Type.Optional(
  Type.String({ maxLength: 64, description: 'The connection to renew; no other account will do' }),
)
// Only a path of ours: the answer of a platform must not become a way to send people elsewhere.
const returnTo = Type.Optional(Type.String({ pattern: '^/(?![/\\\\])[^\\\\\\s]*$', maxLength: 500 }))

/** How the web's Integrations screen connects accounts. Outside the API and its document: there, no endpoint makes a connection. */
export const integrations = {
  start: endpoint({
    ...common,
    id: 'integrations.start',
    method: 'POST',
    path: '/integrations/:platform/start',
    summary: 'Where to send a person to say yes',
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
    summary: 'Connect an account with what its owner filled in',
    body: Type.Object({ fields: Type.Record(Type.String(), Type.String({ maxLength: 500 })), instanceUrl, connectionId }, closed),
    returns: Connection,
    ok: 201,
    audit: 'connection.connect',
  }),
}
