import type { Context } from '../../context.ts'
import { cellQuery } from '../../infra/db/sql-parts.ts'
import { composeMail } from '../../infra/mail/queue-mail.ts'
import { sendMail } from '../../infra/mail/send-due-mails.ts'

/** How long a link in one of these mails works. */
export const linkValidSeconds = 3600

type Recipient = { email: string; token: string }

/** Asks a new user to confirm that the address is theirs. */
export async function sendVerificationMail(ctx: Context, { email, token }: Recipient): Promise<void> {
  const { operator } = ctx.config
  const mail = composeMail({
    operator,
    to: email,
    subject: 'Confirm your address',
    paragraphs: [
      `This address was used to sign up for ${operator.name}.`,
      'If that was you, please confirm it; the link works for one hour. If it was not you, ignore this mail and nothing will happen.',
    ],
    link: { label: 'Confirm the address', url: `${ctx.config.publicUrl}/verify?token=${token}${cellQuery(ctx.config)}` },
  })
  await sendMail(ctx, mail, { lastsMs: linkValidSeconds * 1000 })
}

/** The page where a person sets a password. */
export function passwordLink({ config }: Context, token: string): string {
  return `${config.publicUrl}/reset?token=${token}${cellQuery(config)}`
}

/** The link sets a first password as well as a new one. */
export async function sendPasswordMail(ctx: Context, { email, token }: Recipient): Promise<void> {
  const { operator } = ctx.config
  const mail = composeMail({
    operator,
    to: email,
    subject: 'Set your password',
    paragraphs: [
      `We received a request to sign up or to set a password for the ${operator.name} account with this address.`,
      'If that was you, choose a password; the link works once, within one hour. If it was not you, nothing has changed.',
      'A new password signs you out everywhere. API keys and passkeys stay valid: if somebody else may have had access, look through ' +
        'them in the settings and remove those that you do not know.',
    ],
    link: { label: 'Choose a password', url: passwordLink(ctx, token) },
  })
  await sendMail(ctx, mail, { lastsMs: linkValidSeconds * 1000 })
}
