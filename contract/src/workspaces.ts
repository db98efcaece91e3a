import { Type, type Static } from 'typebox'
import { approvalRules, plans, roles } from './access.ts'
import { auditEndpoints } from './audit.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { connectionEndpoints } from './connections.ts'
import { endpoint, manageWorkspace, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { changedExternalFields, externalFields, externalIdFilter } from './external-id.ts'
import { invitationEndpoints } from './invitations.ts'
import { LinkRule } from './planning/link-rule.ts'
import { memberEndpoints } from './members.ts'
import { Usage } from './post.ts'
import { exportEndpoints } from './workspace-export.ts'
import { StrictObject, Nullable, ObjectId, Timestamp } from './primitives.ts'

export const Workspace = StrictObject({
  id: ObjectId,
  name: Type.String(),
  slug: Type.String(),
  plan: Type.Enum([...plans]),
  hasPlans: Type.Boolean({
    description: 'Whether the plan means anything here: false where the operator has not introduced plans',
  }),
  timezone: Type.String(),
  holdIfLateMinutes: Nullable(Type.Integer()),
  approval: Type.Enum([...approvalRules], {
    description:
      'Whose posts wait for an approval: none: nobody’s; agents (the default): those of API keys with `agent` and of connected programs; programs: ' +
      'those of all API keys and connected programs; editors: also those of people below admin; everyone: also those of admins and owners',
  }),
  returnOrigins: Type.Optional(
    Type.Array(Type.String(), { description: 'Where connect links may send people afterwards; absent if there are none' }),
  ),
  utm: Type.Optional(LinkRule),
  role: Type.Enum([...roles]),
  createdAt: Timestamp,
  usage: Usage,
  ...externalFields,
})
export type Workspace = Static<typeof Workspace>

/** How much needs a person's attention. Each number is counted up to 1,000. */
export const Attention = StrictObject({
  failed: Type.Integer({ minimum: 0, description: 'Failed channels of posts that are not archived' }),
  unconfirmed: Type.Integer({ minimum: 0, description: 'Unconfirmed channels of posts that are not archived' }),
  needsReconnect: Type.Integer({ minimum: 0, description: 'Connections that must be connected again' }),
  expiring: Type.Integer({ minimum: 0, description: 'Connections whose permission ends soon' }),
  late: Type.Integer({ minimum: 0, description: 'Channels that are past their time by more than a minute and wait' }),
  posts: StrictObject({
    failed: Type.Integer({
      minimum: 0,
      description: 'Posts with a channel that failed in the last 30 days, and none that is unconfirmed',
    }),
    unconfirmed: Type.Integer({
      minimum: 0,
      description: 'Posts with a channel that has been unconfirmed for less than 30 days',
    }),
    late: Type.Integer({ minimum: 0, description: 'Posts with a late channel' }),
  }),
})
export type Attention = Static<typeof Attention>

/** What a workspace has used of what it may use. A limit that is null does not exist. */
export const WorkspaceUsage = StrictObject({
  posts: Usage,
  storage: StrictObject({
    usedBytes: Type.Integer({ minimum: 0, description: 'The files of the library, and the uploads that are not complete' }),
    limitBytes: Nullable(Type.Integer()),
  }),
  ai: Nullable(
    StrictObject({
      usedTokens: Type.Integer({ minimum: 0, description: 'In this month (UTC)' }),
      limitTokens: Nullable(Type.Integer()),
    }),
  ),
})
export type WorkspaceUsage = Static<typeof WorkspaceUsage>

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Timezone = Type.String({ maxLength: 64, description: 'An IANA time zone, such as Europe/Berlin' })
const minutesMax = 525_600

export const workspaces = {
  list: endpoint({
    ...readWorkspace,
    id: 'workspaces.list',
    method: 'GET',
    path: '/workspaces',
    workspace: 'none',
    summary: 'List your workspaces, oldest first: all of them, or with `limit` or `cursor` one page',
    query: StrictObject({
      ...externalIdFilter,
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'The size of a page. Default: 100 with a cursor, otherwise no limit',
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{24}$',
          description: 'The id of the last workspace of the previous page. The list is complete when a page is empty',
          'x-message': 'Must be the id of the last workspace of the previous page.',
        }),
      ),
    }),
    returns: Type.Array(Workspace),
    errors: [],
  }),
  create: endpoint({
    ...manageWorkspace,
    id: 'workspaces.create',
    method: 'POST',
    path: '/workspaces',
    workspace: 'none',
    scope: 'workspaces:create',
    role: 'viewer',
    summary: 'Create a workspace; its owner is the person of the key or session',
    body: StrictObject({ name: Name, timezone: Type.Optional(Timezone), ...externalFields }),
    returns: Workspace,
    ok: 201,
    errors: ['quota_reached', 'external_id_taken'],
    audit: 'workspace.create',
  }),
  get: endpoint({
    ...readWorkspace,
    id: 'workspaces.get',
    method: 'GET',
    path: '/workspaces/:id',
    summary: 'Get a workspace',
    params: WorkspaceParam,
    returns: Workspace,
    errors: ['workspace_not_found'],
  }),
  attention: endpoint({
    ...readWorkspace,
    id: 'workspaces.attention',
    method: 'GET',
    path: '/workspaces/:id/attention',
    summary: 'How many channels, posts and connections need a person',
    params: WorkspaceParam,
    returns: Attention,
    errors: [],
  }),
  usage: endpoint({
    ...readWorkspace,
    id: 'workspaces.usage',
    method: 'GET',
    path: '/workspaces/:id/usage',
    summary: 'What the workspace uses: posts and AI tokens of this month, and storage; `ai` is null if this server has no model',
    params: WorkspaceParam,
    returns: WorkspaceUsage,
    errors: [],
  }),
  update: endpoint({
    ...manageWorkspace,
    id: 'workspaces.update',
    method: 'PATCH',
    path: '/workspaces/:id',
    summary: 'Change a workspace; only an owner can change its plan, where the operator allows it, and its external id',
    params: WorkspaceParam,
    body: StrictObject({
      name: Type.Optional(Name),
      timezone: Type.Optional(Timezone),
      holdIfLateMinutes: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: minutesMax }))),
      approval: Type.Optional(
        Type.Enum([...approvalRules], {
          description: 'Whose posts wait for an approval. An API key needs the scope `content:approve` to change it',
        }),
      ),
      returnOrigins: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
          maxItems: 20,
          uniqueItems: true,
          description:
            'The origins, such as https://app.example.com, to which connect links may send people afterwards. Replaces all that are there',
        }),
      ),
      utm: Type.Optional(Nullable(LinkRule)),
      plan: Type.Optional(Type.Enum([...plans])),
      ...changedExternalFields,
    }),
    returns: Workspace,
    errors: ['workspace_not_found', 'plan_fixed', 'external_id_taken', 'return_url_refused'],
    audit: 'workspace.update',
  }),
  remove: endpoint({
    ...manageWorkspace,
    role: 'owner',
    id: 'workspaces.remove',
    method: 'DELETE',
    path: '/workspaces/:id',
    summary: 'Delete a workspace and everything in it',
    params: WorkspaceParam,
    returns: Type.Null(),
    errors: ['workspace_not_found'],
    audit: 'workspace.delete',
  }),
  ...connectionEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
  ...apiKeyEndpoints,
  ...auditEndpoints,
  ...exportEndpoints,
}
