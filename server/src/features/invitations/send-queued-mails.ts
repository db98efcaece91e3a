import type { Context } from '../../context.ts'
import { sendDueMails } from '../../infra/mail/send-due-mails.ts'
import { updateMail } from './invitation.store.ts'

/** Sends the mails that are due and stores the outcome with the invitation. True when there may be more. */
export function sendQueuedMails(ctx: Context): Promise<boolean> {
  return sendDueMails(ctx, async (tx, { workspace_id, invitation_id }, outcome) => {
    if (workspace_id !== null && invitation_id !== null)
      await updateMail(tx, { workspaceId: workspace_id, id: invitation_id }, outcome)
  })
}
