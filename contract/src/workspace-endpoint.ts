import { Type } from 'typebox'
import { StrictObject } from './primitives.ts'

const Id = Type.String({ minLength: 1, maxLength: 64 })

/** Parameters of the paths below `/workspaces/:id`, where `id` is the workspace. */
export const WorkspaceParam = StrictObject({ id: Id })
export const ConnectionParam = StrictObject({ id: Id, connId: Id })
export const MemberParam = StrictObject({ id: Id, userId: Id })
export const InvitationParam = StrictObject({ id: Id, inviteId: Id })
export const ApiKeyParam = StrictObject({ id: Id, keyId: Id })

/** What endpoints that read or change a workspace have in common. */
export const readWorkspace = { scope: 'workspaces:read', role: 'viewer', workspace: 'path', ok: 200, audit: null } as const
export const manageWorkspace = { scope: 'workspaces:write', role: 'admin', workspace: 'path', ok: 200 } as const
