import { roles } from '@carillon/contract'
import type { MemberHooks } from '../members/manage-members.ts'
import { canInvite } from './can-invite.ts'
import { deleteOpenInvitationsBy } from './invitation.store.ts'

/** Cancels the open invitations of a member that they may no longer make: all of them when the member is removed. */
export const cancelInvitations: MemberHooks['afterRoleChange'] = async ({ tx, principal }, { personId, role }) => {
  const lost = roles.filter((each) => role === null || !canInvite(role, each))
  if (lost.length > 0) await deleteOpenInvitationsBy(tx, { workspaceId: principal.workspaceId, personId, roles: lost })
}
