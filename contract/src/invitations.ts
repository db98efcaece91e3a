import { Type, type Static } from 'typebox'
import { roles } from './access.ts'
import { endpoint } from './endpoint.ts'
import { InvitationParam, manageWorkspace, readWorkspace, WorkspaceParam } from './workspace-endpoint.ts'
import { StrictObject, ObjectId, Timestamp } from './primitives.ts'

export const invitationStatuses = ['pending', 'accepted', 'expired'] as const

/** `not_configured`: this install sends no mail, and the link is in its log. */
export const mailStates = ['waiting', 'sent', 'failed', 'not_configured'] as const

export const Invitation = StrictObject({
  id: ObjectId,
  email: Type.String(),
  role: Type.Enum([...roles]),
  status: Type.Enum([...invitationStatuses]),
  mail: Type.Enum([...mailStates], { description: 'What became of the e-mail' }),
  invitedBy: Type.String({ description: 'The userId of whoever invited' }),
  expiresAt: Timestamp,
  createdAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>

export const invitationEndpoints = {
  invitations: endpoint({
    ...readWorkspace,
    role: 'admin',
    id: 'workspaces.invitations',
    method: 'GET',
    path: '/workspaces/:id/invitations',
    summary: 'List invitations',
    params: WorkspaceParam,
    returns: Type.Array(Invitation),
    errors: [],
  }),
  invite: endpoint({
    ...manageWorkspace,
    id: 'workspaces.invite',
    method: 'POST',
    path: '/workspaces/:id/invitations',
    summary: 'Invite a person by e-mail; the link in it lasts seven days',
    params: WorkspaceParam,
    body: StrictObject({ email: Type.String({ format: 'email', maxLength: 254 }), role: Type.Enum([...roles]) }),
    returns: Invitation,
    ok: 201,
    errors: ['already_member', 'invitation_pending'],
    audit: 'invitation.create',
  }),
  deleteInvitation: endpoint({
    ...manageWorkspace,
    id: 'workspaces.deleteInvitation',
    method: 'DELETE',
    path: '/workspaces/:id/invitations/:inviteId',
    summary: 'Take an invitation back',
    params: InvitationParam,
    returns: Type.Null(),
    errors: ['invitation_not_found'],
    audit: 'invitation.delete',
  }),
}
