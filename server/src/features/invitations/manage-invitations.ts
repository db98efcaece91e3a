import { type Invitation, roles } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import type { MemberHooks } from '../members/manage-members.ts'
import { deleteInvitation, deleteOpenInvitationsBy, listInvitations } from './invitation.store.ts'
import { canInvite, presentInvitation, shownLink } from './present-invitation.ts'

export async function getInvitations(scope: RequestScope): Promise<Invitation[]> {
  const rows = await listInvitations(scope.tx, scope.principal.workspaceId)
  return rows.map((row) => presentInvitation(row, scope.nowMs, shownLink(scope, row)))
}

/** Revoking takes effect at once: the link in the mail no longer works. */
export async function revokeInvitation({ tx, principal }: RequestScope, id: string): Promise<Answer<null>> {
  if (!(await deleteInvitation(tx, { workspaceId: principal.workspaceId, id }))) throw problem('invitation_not_found')
  return new Answer(null, { subjectId: id })
}

/** Cancels the open invitations of a member that they may no longer make: all of them when the member is removed. */
export const cancelInvitations: MemberHooks['afterRoleChange'] = async ({ tx, principal }, { personId, role }) => {
  const lost = roles.filter((each) => role === null || !canInvite(role, each))
  if (lost.length > 0) await deleteOpenInvitationsBy(tx, { workspaceId: principal.workspaceId, personId, roles: lost })
}
