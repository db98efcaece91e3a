import type { Context } from '../context.ts'
import { MailRefused, type Mail } from './mailer.ts'
import { postMail } from './post-mail.ts'
import { retryWaitMs } from './retry-wait.ts'

/** Sends at once. What no mail server takes now is kept and tried again, as long as what it says is worth saying. */
export async function sendMail(ctx: Context, mail: Mail, { lastsMs }: { lastsMs: number }): Promise<void> {
  try {
    await ctx.mail.send(mail)
  } catch (err) {
    if (err instanceof MailRefused) throw err
    ctx.log.warn({ err }, 'a mail waits for its server')
    await postMail(ctx, ctx.db.system, { mail, lastsMs, waitMs: retryWaitMs(1) })
  }
}
