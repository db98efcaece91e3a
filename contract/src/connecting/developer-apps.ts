import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { platforms } from '../platforms.ts'
import { Nullable, StrictObject, Timestamp } from '../primitives.ts'

const PlatformName = Type.Enum([...platforms])

/** What the platform calls the id and the secret of an app. Both are copied from its console. */
const idLengthMax = 200
const secretLengthMax = 500
const withoutSpaces = { pattern: '^\\s*\\S+\\s*$', 'x-message': 'Must not be empty or have spaces inside.' }

/** A developer app that a workspace brought itself, and the accounts that were connected with it. The secret never comes out again. */
export const DeveloperApp = StrictObject({
  platform: PlatformName,
  clientId: Nullable(Type.String({ description: 'Null if the workspace uses the app of the installation' })),
  enteredAt: Nullable(Timestamp),
  redirectUri: Type.String({ description: 'The address to enter in the console of the platform' }),
  portalUrl: Nullable(Type.String({ description: 'Where the app is created' })),
  accounts: Type.Integer({ minimum: 0, description: 'Connections of this workspace that were made with an app of its own' }),
})
export type DeveloperApp = Static<typeof DeveloperApp>

const common = { role: 'admin', workspace: 'header', ok: 200 } as const

export const developerApps = {
  list: endpoint({
    ...common,
    id: 'developerApps.list',
    method: 'GET',
    path: '/developer-apps',
    summary: 'List the platforms on which a workspace can bring an app of its own, and its apps',
    scope: 'workspaces:read',
    returns: Type.Array(DeveloperApp),
    errors: [],
    audit: null,
  }),
  save: endpoint({
    ...common,
    id: 'developerApps.save',
    method: 'POST',
    path: '/developer-apps',
    summary: 'Bring an app of your own: accounts of the workspace are connected with it from now on',
    scope: 'workspaces:write',
    body: StrictObject({
      platform: PlatformName,
      clientId: Type.String({ ...withoutSpaces, minLength: 1, maxLength: idLengthMax }),
      clientSecret: Type.String({ ...withoutSpaces, minLength: 1, maxLength: secretLengthMax }),
    }),
    returns: DeveloperApp,
    errors: ['platform_not_found'],
    audit: 'developer_app.save',
  }),
  remove: endpoint({
    ...common,
    id: 'developerApps.remove',
    method: 'DELETE',
    path: '/developer-apps/:platform',
    summary:
      'Remove the app of the workspace and its secret; accounts that were connected with it have to be connected again once their token ends',
    scope: 'workspaces:write',
    params: StrictObject({ platform: Type.String({ minLength: 1, maxLength: 32 }) }),
    returns: Type.Null(),
    errors: ['platform_not_found'],
    audit: 'developer_app.remove',
  }),
}
