import { Type, type Static } from 'typebox'
import { grantableScopes } from './access.ts'
import { ApiKeyParam, endpoint, manageWorkspace, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { StrictObject, Nullable, ObjectId, Timestamp, Uuid } from './primitives.ts'

const wallTime = (description: string) =>
  Type.String({
    pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
    maxLength: 5,
    examples: ['09:00'],
    'x-message': 'Must be a time of day such as 09:00.',
    description,
  })

/** What happens to a post whose text is almost that of another one on the same account; the strictest rule is the last. */
export const duplicateRules = ['warn', 'refuse'] as const

/** What narrows the posts of an API key beyond its scopes. A limit that is left out does not narrow it. */
export const PostingLimits = StrictObject({
  connections: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Slugs: the key publishes only to these accounts, and changes only posts that have no channel of another one',
    }),
  ),
  postsPerDay: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'How many different posts the key may release in one day of the workspace’s time zone',
    }),
  ),
  hours: Type.Optional(
    StrictObject({
      from: wallTime('The time of day, in the workspace’s time zone, before which nothing that the key releases is due'),
      to: wallTime('The time of day from which on nothing is due; if it is the earlier one, the hours go over midnight'),
    }),
  ),
  onDuplicate: Type.Optional(
    Type.Enum([...duplicateRules], {
      description: 'What happens if the same text, or almost the same, is on the same account within 24 hours. Default: nothing',
    }),
  ),
})
export type PostingLimits = Static<typeof PostingLimits>

export const ApiKey = StrictObject({
  id: Uuid,
  prefix: Type.String(),
  label: Type.String(),
  scopes: Nullable(Type.Array(Type.String())),
  workspaceOnly: Type.Boolean(),
  expiresAt: Nullable(Timestamp),
  limits: Nullable(PostingLimits),
  agent: Type.Boolean({
    description:
      'Whether a model or a script that decides by itself uses the key, so that a person approves what it publishes; never changes',
  }),
  workspaces: Type.Optional(
    StrictObject({
      max: Type.Integer({ description: 'How many workspaces the key may create' }),
      created: Type.Integer({ minimum: 0, description: 'How many it has created' }),
    }),
  ),
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
        Type.Boolean({
          description:
            'Whether the key works only in this workspace and not in other workspaces of its creator. A key with `limits` always does',
        }),
      ),
      limits: Type.Optional(PostingLimits),
      agent: Type.Optional(
        Type.Boolean({
          description:
            'Whether a model or a script that decides by itself uses the key. A person then approves what it publishes, unless the workspace has chosen ' +
            '`approval: none`. Such a key has neither content:approve nor workspaces:write, and nothing removes the mark. Default: false',
        }),
      ),
      workspacesMax: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description:
            'How many workspaces the key may create, those that were deleted since then too. Only with the scope workspaces:create, and without workspaces:write',
        }),
      ),
    }),
    returns: ApiKey,
    returnsSecret: true,
    ok: 201,
    errors: ['connection_unknown'],
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
