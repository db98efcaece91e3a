import { Type, type Static } from 'typebox'
import { roles } from './access.ts'
import { endpoint, InvitationParam, manageWorkspace, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { StrictObject, ObjectId, Timestamp } from './primitives.ts'

export const invitationStatuses = ['pending', 'accepted', 'expired'] as const

/** `not_configured`: this installation sends no mail; the inviter passes the link on. */
const mailStates = ['waiting', 'sent', 'failed', 'not_configured'] as const

export const Invitation = StrictObject({
  id: ObjectId,
  email: Type.String(),
  role: Type.Enum([...roles]),
  status: Type.Enum([...invitationStatuses]),
  mail: Type.Enum([...mailStates], { description: 'The state of the invitation e-mail' }),
  link: Type.Union([Type.String(), Type.Null()], {
    description:
      'The link that accepts the invitation, for the inviter to pass on. Only the inviter gets it, and only where this installation sends no ' +
      "mail: a mailed link proves that the address is the person's own",
  }),
  invitedBy: Type.String({ description: 'The userId of the member who sent the invitation' }),
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
    summary: 'Invite a person by e-mail; the link is valid for seven days',
    params: WorkspaceParam,
    body: StrictObject({ email: Type.String({ format: 'email', maxLength: 254 }), role: Type.Enum([...roles]) }),
    returns: Invitation,
    ok: 201,
    returnsSecret: true,
    errors: ['already_member', 'invitation_pending', 'quota_reached', 'mail_limit_reached'],
    audit: 'invitation.create',
  }),
  deleteInvitation: endpoint({
    ...manageWorkspace,
    id: 'workspaces.deleteInvitation',
    method: 'DELETE',
    path: '/workspaces/:id/invitations/:inviteId',
    summary: 'Withdraw an invitation',
    params: InvitationParam,
    returns: Type.Null(),
    errors: ['invitation_not_found'],
    audit: 'invitation.delete',
  }),
}
