import type { Tx } from '../db/db.ts'
import { updateMail, type InvitationRow } from './invitation.store.ts'

/** What became of the mail: whoever invited sees it in the list of invitations. */
export function noteInvitationMail(
  tx: Tx,
  invitation: { workspaceId: string; id: string },
  outcome: InvitationRow['mail'],
): Promise<void> {
  return updateMail(tx, invitation, outcome)
}
