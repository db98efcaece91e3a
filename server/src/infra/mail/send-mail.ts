import { MailRefused, type Mail } from './mailer.ts'
import { queueMail, type MailContext } from './queue-mail.ts'
import { retryWaitMs } from './retry-wait.ts'

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
