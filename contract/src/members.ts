import { Type, type Static } from 'typebox'
import { roles } from './access.ts'
import { endpoint, manageWorkspace, MemberParam, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { StrictObject, ObjectId, Timestamp } from './primitives.ts'

export const Member = StrictObject({
  userId: ObjectId,
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  joinedAt: Timestamp,
})
export type Member = Static<typeof Member>

export const memberEndpoints = {
  members: endpoint({
    ...readWorkspace,
    id: 'workspaces.members',
    method: 'GET',
    path: '/workspaces/:id/members',
    summary: 'List the members of the workspace',
    params: WorkspaceParam,
    returns: Type.Array(Member),
    errors: [],
  }),
  updateMember: endpoint({
    ...manageWorkspace,
    id: 'workspaces.updateMember',
    method: 'PATCH',
    path: '/workspaces/:id/members/:userId',
    summary: 'Change the role of a member',
    params: MemberParam,
    body: StrictObject({ role: Type.Enum([...roles]) }),
    returns: Member,
    errors: ['member_not_found', 'last_owner', 'quota_reached'],
    audit: 'member.update',
  }),
  leave: endpoint({
    ...manageWorkspace,
    role: 'viewer',
    id: 'workspaces.leave',
    method: 'DELETE',
    path: '/workspaces/:id/members/me',
    summary: 'Leave the workspace; the API keys that you created here are revoked',
    params: WorkspaceParam,
    returns: Type.Null(),
    errors: ['last_owner'],
    audit: 'member.leave',
  }),
  removeMember: endpoint({
    ...manageWorkspace,
    id: 'workspaces.removeMember',
    method: 'DELETE',
    path: '/workspaces/:id/members/:userId',
    summary: 'Remove a member; the API keys that they created here are revoked',
    params: MemberParam,
    returns: Type.Null(),
    errors: ['member_not_found', 'last_owner'],
    audit: 'member.remove',
  }),
}
