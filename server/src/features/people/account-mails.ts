import type { Context } from '../../context.ts'
import { composeMail } from '../../infra/mail/compose-mail.ts'
import { sendMail } from '../../infra/mail/send-mail.ts'

/** How long a link in one of these mails works. */
export const linkSeconds = 3600

type Letter = { email: string; token: string }

/** Lets somebody who signed up show that the address is theirs. */
export async function sendVerificationMail(ctx: Context, { email, token }: Letter): Promise<void> {
  const mail = composeMail({
    to: email,
    subject: 'Confirm your address',
    paragraphs: [
      'Somebody signed up for Carillon with this address and chose a password.',
      'If that was you, confirm it; the link lasts an hour. If it was not, ignore this mail, and nothing comes of it.',
    ],
    link: { label: 'Confirm the address', url: `${ctx.config.publicUrl}/auth/verify?token=${token}` },
  })
  await sendMail(ctx, mail, { lastsMs: linkSeconds * 1000 })
}

/** The way to a first password as to a new one. */
export async function sendPasswordMail(ctx: Context, { email, token }: Letter): Promise<void> {
  const mail = composeMail({
    to: email,
    subject: 'Set your password',
    paragraphs: [
      'There is a Carillon account with this address, and somebody asked to sign up or to set its password.',
      'If that was you, choose a password; the link lasts an hour and works once. If it was not, nothing has changed.',
    ],
    link: { label: 'Choose a password', url: `${ctx.config.publicUrl}/auth/password?token=${token}` },
  })
  await sendMail(ctx, mail, { lastsMs: linkSeconds * 1000 })
}
