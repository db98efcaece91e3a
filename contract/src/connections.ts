import { Type, type Static } from 'typebox'
import { ConnectionParam, endpoint, manageWorkspace, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { changedExternalFields, externalFields, externalIdFilter } from './external-id.ts'
import { contentFormats } from './manifest.ts'
import { Abilities, AltText, PlatformMedia, PlatformText } from './platforms-api.ts'
import { platforms } from './platforms.ts'
import { IdParam, StrictObject, Nullable, ObjectId, Timestamp } from './primitives.ts'

export const connectionStatuses = ['active', 'expiring', 'needs_reconnect', 'disconnected'] as const

/** A page or account to publish to, on platforms where one sign-in gives access to several. */
export const Target = StrictObject({ id: Type.String(), name: Type.String(), kind: Type.String() })
export type Target = Static<typeof Target>

/** Why a connection must be connected again. */
export const connectionStatusCodes = ['token_refused', 'token_expired', 'account_gone'] as const
export type ConnectionStatusCode = (typeof connectionStatusCodes)[number]

export const Connection = StrictObject({
  id: ObjectId,
  slug: Type.String(),
  platform: Type.String(),
  handle: Type.String(),
  displayName: Type.String(),
  avatarUrl: Nullable(Type.String()),
  status: Type.Enum([...connectionStatuses]),
  statusReason: Nullable(Type.String()),
  statusCode: Nullable(
    Type.Enum([...connectionStatusCodes], {
      description:
        'Why the account must be connected again. token_refused: the platform no longer accepts the permission; token_expired: the ' +
        'permission has ended; account_gone: the account no longer exists there',
    }),
  ),
  instanceUrl: Nullable(Type.String({ description: 'The server of the account, on platforms with many servers' })),
  scheduledChannels: Type.Integer({
    minimum: 0,
    description: 'Channels that wait for their time on this connection, up to 1,000',
  }),
  lastPublishedAt: Nullable(Timestamp),
  capabilities: Type.Array(Type.String()),
  target: Type.Optional(StrictObject({ id: Type.String(), name: Type.String() })),
  targets: Type.Optional(Type.Array(Target)),
  connectedAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  ...externalFields,
})
export type Connection = Static<typeof Connection>

/** No endpoint creates a connection: a user has to authorize it on the platform's own page (docs/guides/connections.md). */
export const connectionEndpoints = {
  connections: endpoint({
    ...readWorkspace,
    id: 'workspaces.connections',
    method: 'GET',
    path: '/workspaces/:id/connections',
    summary: 'The accounts this workspace can publish to',
    params: WorkspaceParam,
    query: StrictObject(externalIdFilter),
    returns: Type.Array(Connection),
    errors: [],
  }),
  updateConnection: endpoint({
    ...manageWorkspace,
    id: 'workspaces.updateConnection',
    method: 'PATCH',
    path: '/workspaces/:id/connections/:connId',
    summary: 'Give a connection the id that it has in your own system, and metadata',
    params: ConnectionParam,
    body: StrictObject(changedExternalFields),
    returns: Connection,
    errors: ['connection_not_found', 'external_id_taken'],
    audit: 'connection.update',
  }),
  disconnect: endpoint({
    ...manageWorkspace,
    id: 'workspaces.disconnect',
    method: 'DELETE',
    path: '/workspaces/:id/connections/:connId',
    summary: 'Remove a connection and cancel its scheduled channels',
    params: ConnectionParam,
    returns: Type.Null(),
    errors: ['connection_not_found'],
    audit: 'connection.disconnect',
  }),
  revoke: endpoint({
    ...manageWorkspace,
    id: 'workspaces.revoke',
    method: 'POST',
    path: '/workspaces/:id/connections/:connId/revoke',
    summary: 'Remove a connection and revoke its permission on the platform',
    params: ConnectionParam,
    returns: StrictObject({
      revoked: Type.Boolean({ description: 'Whether the platform revoked the permission' }),
      reason: Nullable(
        Type.String({ description: 'Why the permission was not revoked; the connection is removed here in any case' }),
      ),
    }),
    errors: ['connection_not_found'],
    audit: 'connection.revoke',
  }),
  chooseTarget: endpoint({
    ...manageWorkspace,
    id: 'workspaces.chooseTarget',
    method: 'PATCH',
    path: '/workspaces/:id/connections/:connId/pages',
    summary: 'Choose the page or account a connection publishes to',
    params: ConnectionParam,
    body: StrictObject({ targetId: Type.String({ minLength: 1, maxLength: 200 }) }),
    returns: Connection,
    errors: ['connection_not_found', 'target_unknown'],
    audit: 'connection.choose_target',
  }),
}

/** What one account may do: the limits of its platform, with those of its own server, plan or kind in their place. */
export const Capabilities = StrictObject({
  connectionId: ObjectId,
  platform: Type.Enum([...platforms]),
  learnedAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the platform said so; null if it was not asked yet, or if all its accounts are alike',
    }),
  ),
  isCurrent: Type.Boolean({
    description: 'False if the platform should have been asked again and did not answer. Posts are checked with what is known',
  }),
  differs: Type.Array(Type.String(), {
    description: 'Where the account differs from `GET /platforms`, as `text.max` or `choices.visibility`',
  }),
  formats: Type.Array(Type.Enum([...contentFormats])),
  text: PlatformText,
  photos: Nullable(PlatformMedia),
  video: Nullable(PlatformMedia),
  altText: AltText,
  can: Abilities,
  choices: Type.Record(Type.String(), Type.Array(Type.Union([Type.String(), Type.Boolean()])), {
    description:
      'By setting: the values that this account may choose, such as audiences. A setting that is not named has all values',
  }),
  needs: Type.Array(Type.String(), {
    description: 'The settings that a post of this account must have, such as the board where the account has several',
  }),
  name: Nullable(Type.String({ description: 'The name that the platform wants shown where a post is written' })),
  blocked: Nullable(
    StrictObject({
      reason: Nullable(Type.String({ description: 'Why, for programs: one of FailureReason' })),
      message: Type.String({ description: 'Why the platform takes no posts of this account at the moment' }),
    }),
  ),
})
export type Capabilities = Static<typeof Capabilities>

export const connectionsApi = {
  capabilities: endpoint({
    id: 'connections.capabilities',
    method: 'GET',
    path: '/connections/:id/capabilities',
    summary: 'What one account may do: its own limits, audiences and settings, and when they were learned',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    params: IdParam,
    returns: Capabilities,
    ok: 200,
    errors: ['connection_not_found'],
    audit: null,
  }),
}
