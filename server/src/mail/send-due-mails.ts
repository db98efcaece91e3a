import type { Context } from '../context.ts'
import { noteInvitationMail } from '../invitations/note-invitation-mail.ts'
import { MailRefused } from './mailer.ts'
import { claimMails, deleteMail, postponeMail, type OutgoingMailRow } from './outgoing-mail.store.ts'
import { openLetter } from './post-mail.ts'
import { retryWaitMs } from './retry-wait.ts'

const atOnce = 10
/** Longer than any conversation with a mail server may take: after this, whoever took the mail has died. */
const claimMs = 180_000

/** Sends what is due. What no server takes now is tried again until its time is over. True when there may be more. */
export async function sendDueMails(ctx: Context): Promise<boolean> {
  const nowMs = ctx.nowMs()
  const rows = await claimMails(ctx.db.system, { now: new Date(nowMs), until: new Date(nowMs + claimMs), limit: atOnce })
  await Promise.all(rows.map((row) => send(ctx, row)))
  return rows.length === atOnce
}

async function send(ctx: Context, row: OutgoingMailRow): Promise<void> {
  const nextMs = ctx.nowMs() + retryWaitMs(row.attempts)
  const outcome = await attempt(ctx, row, nextMs > row.ends_at.getTime())
  if (outcome === 'later') await postponeMail(ctx.db.system, row.id, new Date(nextMs))
  else await settle(ctx, row, outcome)
}

type Outcome = 'sent' | 'not_configured' | 'failed'

async function attempt(ctx: Context, row: OutgoingMailRow, isLast: boolean): Promise<Outcome | 'later'> {
  try {
    return await ctx.mail.send(openLetter(ctx, row))
  } catch (err) {
    const isOver = isLast || err instanceof MailRefused
    ctx.log.warn({ err, mail: row.id, attempts: row.attempts }, isOver ? 'a mail was given up' : 'a mail waits for its server')
    return isOver ? 'failed' : 'later'
  }
}

async function settle({ db }: Context, { id, workspace_id, invitation_id }: OutgoingMailRow, outcome: Outcome): Promise<void> {
  await db.system.transaction().execute(async (tx) => {
    await deleteMail(tx, id)
    if (workspace_id !== null && invitation_id !== null)
      await noteInvitationMail(tx, { workspaceId: workspace_id, id: invitation_id }, outcome)
  })
}
