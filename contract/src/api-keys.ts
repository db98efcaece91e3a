import { Type, type Static } from 'typebox'
import { grantableScopes } from './access.ts'
import { endpoint } from './endpoint.ts'
import { ApiKeyParam, manageWorkspace, readWorkspace, WorkspaceParam } from './workspace-endpoint.ts'
import { StrictObject, Nullable, ObjectId, Timestamp, Uuid } from './primitives.ts'

export const ApiKey = StrictObject({
  id: Uuid,
  prefix: Type.String(),
  label: Type.String(),
  scopes: Nullable(Type.Array(Type.String())),
  workspaceOnly: Type.Boolean(),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
  createdBy: Nullable(StrictObject({ userId: ObjectId, name: Type.String(), email: Type.String() })),
  lastUsedAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'The last use, to the minute; null if there was none' })),
  key: Type.Optional(
    Type.String({ description: 'The complete key; only in the response that creates it, and not when that request is repeated' }),
  ),
})
export type ApiKey = Static<typeof ApiKey>

export const apiKeyEndpoints = {
  apiKeys: endpoint({
    ...readWorkspace,
    role: 'admin',
    id: 'workspaces.apiKeys',
    method: 'GET',
    path: '/workspaces/:id/api-keys',
    summary: 'List API keys',
    params: WorkspaceParam,
    returns: Type.Array(ApiKey),
    errors: [],
  }),
  createApiKey: endpoint({
    ...manageWorkspace,
    id: 'workspaces.createApiKey',
    method: 'POST',
    path: '/workspaces/:id/api-keys',
    summary: 'Create an API key; the complete key is shown only in this response',
    params: WorkspaceParam,
    body: StrictObject({
      label: Type.String({ minLength: 1, maxLength: 100, description: 'What the key is for' }),
      scopes: Type.Optional(
        Type.Array(Type.Enum([...grantableScopes]), {
          minItems: 1,
          uniqueItems: true,
          description: 'What the key may do. Default: everything that its creator, or the key that makes it, may do',
        }),
      ),
      expiresAt: Type.Optional(
        Type.String({ format: 'date-time', description: 'When the key expires. Default: never, or with the key that makes it' }),
      ),
      workspaceOnly: Type.Optional(
        Type.Boolean({ description: 'Whether the key works only in this workspace and not in other workspaces of its creator' }),
      ),
    }),
    returns: ApiKey,
    returnsSecret: true,
    ok: 201,
    errors: [],
    audit: 'api_key.create',
  }),
  deleteApiKey: endpoint({
    ...manageWorkspace,
    id: 'workspaces.deleteApiKey',
    method: 'DELETE',
    path: '/workspaces/:id/api-keys/:keyId',
    summary: 'Revoke an API key',
    params: ApiKeyParam,
    returns: Type.Null(),
    errors: ['api_key_not_found'],
    audit: 'api_key.delete',
  }),
}
