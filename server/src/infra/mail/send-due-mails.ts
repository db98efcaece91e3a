import type { Tx } from '../db/db.ts'
import { type Mail, MailRefused } from './mailer.ts'
import { type OutgoingMailRow, claimMails, deleteMail, postponeMail } from './outgoing-mail.store.ts'
import { type MailContext, openMail, queueMail } from './queue-mail.ts'

const batchSize = 10
/** Longer than any SMTP session may take: after this the process that claimed the mail has died. */
const claimMs = 180_000

type MailOutcome = 'sent' | 'not_configured' | 'failed'

/** Called in the transaction that removes a mail from the queue. */
export type OnMailSettled = (tx: Tx, mail: OutgoingMailRow, outcome: MailOutcome) => Promise<void>

/** Called after each attempt, also for a mail that is tried again. */
type OnMailAttempt = (outcome: MailOutcome | 'later') => void

/** Sends the mails that are due. A mail that is not accepted now is tried again until it expires. True when there may be more. */
export async function sendDueMails(ctx: MailContext, onSettled: OnMailSettled, onAttempt: OnMailAttempt): Promise<boolean> {
  const nowMs = ctx.nowMs()
  const rows = await claimMails(ctx.db.system, { now: new Date(nowMs), until: new Date(nowMs + claimMs), limit: batchSize })
  await Promise.all(rows.map((row) => send(ctx, row, { onSettled, onAttempt })))
  return rows.length === batchSize
}

type MailHooks = { onSettled: OnMailSettled; onAttempt: OnMailAttempt }

async function send(ctx: MailContext, row: OutgoingMailRow, { onSettled, onAttempt }: MailHooks): Promise<void> {
  const nextMs = ctx.nowMs() + retryWaitMs(row.attempts)
  const outcome = await attempt(ctx, row, nextMs > row.ends_at.getTime())
  onAttempt(outcome)
  if (outcome === 'later') await postponeMail(ctx.db.system, row.id, new Date(nextMs))
  else
    await ctx.db.system.transaction().execute(async (tx) => {
      await deleteMail(tx, row.id)
      await onSettled(tx, row, outcome)
    })
}

async function attempt(ctx: MailContext, row: OutgoingMailRow, isLast: boolean): Promise<MailOutcome | 'later'> {
  try {
    return await ctx.mail.send(openMail(ctx, row))
  } catch (err) {
    const isFinal = isLast || err instanceof MailRefused
    ctx.log.warn(
      { err, mail: row.id, attempts: row.attempts },
      isFinal ? 'a mail could not be sent and is not tried again' : 'a mail could not be sent now; it is tried again',
    )
    return isFinal ? 'failed' : 'later'
  }
}

/** Sends at once. If the mail server does not accept it now, the mail is queued and tried again until `lastsMs` is over. */
export async function sendMail(ctx: MailContext, mail: Mail, { lastsMs }: { lastsMs: number }): Promise<void> {
  try {
    await ctx.mail.send(mail)
  } catch (err) {
    if (err instanceof MailRefused) throw err
    ctx.log.warn({ err }, 'the mail server did not accept a mail; it is queued')
    await queueMail(ctx, ctx.db.system, { mail, lastsMs, waitMs: retryWaitMs(1) })
  }
}

const firstWaitMs = 5000
const longestWaitMs = 600_000

/** Exponential backoff: 5, 10, 20 s and so on, up to ten minutes. */
function retryWaitMs(attempts: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1))
}
