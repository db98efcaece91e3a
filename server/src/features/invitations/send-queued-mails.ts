import type { Context } from '../../context.ts'
import { sendDueMails, type OnMailSettled } from '../../infra/mail/send-due-mails.ts'
import { getMetrics } from '../../infra/metrics/get-metrics.ts'
import { updateMail } from './invitation.store.ts'

/** Sends the mails that are due and stores the outcome with the invitation. True when there may be more. */
export function sendQueuedMails(ctx: Context): Promise<boolean> {
  const onSettled: OnMailSettled = async (tx, { workspace_id, invitation_id }, outcome) => {
    if (workspace_id !== null && invitation_id !== null)
      await updateMail(tx, { workspaceId: workspace_id, id: invitation_id }, outcome)
  }
  return sendDueMails(ctx, onSettled, (outcome) => getMetrics(ctx).mails.inc({ outcome }))
}
