import { Type } from 'typebox'
import { Closed } from './scalars.ts'

const Id = Type.String({ minLength: 1, maxLength: 64 })

/** `/workspaces/:id/…`: the workspace is named in the path. */
export const WorkspaceParam = Closed({ id: Id })
export const ConnectionParam = Closed({ id: Id, connId: Id })
export const MemberParam = Closed({ id: Id, userId: Id })
export const InvitationParam = Closed({ id: Id, inviteId: Id })
export const ApiKeyParam = Closed({ id: Id, keyId: Id })

export const read = { scope: 'workspaces:read', role: 'viewer', workspace: 'path', ok: 200, audit: null } as const
export const manage = { scope: 'workspaces:write', role: 'admin', workspace: 'path', ok: 200 } as const
