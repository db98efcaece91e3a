import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { cellQuery } from '../../../infra/db/sql-parts.ts'
import { composeMail } from '../../../infra/mail/queue-mail.ts'
import { sendMail } from '../../../infra/mail/send-due-mails.ts'
import { linkValidSeconds } from '../account-mails.ts'

/** Goes to the new address. */
export async function sendAddressLink(ctx: Context, { email, token }: { email: string; token: string }): Promise<void> {
  const { operator, publicUrl } = ctx.config
  await send(ctx, {
    to: email,
    subject: 'Confirm your new address',
    paragraphs: [
      `Somebody wants to use this address for their ${operator.name} account.`,
      'If that was you, open the link in a browser in which you are signed in; it works once, within one hour. ' +
        'If it was not you, ignore this mail and nothing will happen.',
    ],
    link: { label: 'Confirm the new address', url: `${publicUrl}/address?token=${token}${cellQuery(ctx.config)}` },
  })
}

/** Goes to the new address if it has an account: the page that asked for the change says the same for every address. */
export async function sendAddressTaken(ctx: Context, email: string): Promise<void> {
  const { operator } = ctx.config
  await send(ctx, {
    to: email,
    subject: 'This address has an account already',
    paragraphs: [
      `Somebody wanted to use this address for another ${operator.name} account. Because it has an account already, nothing was changed.`,
      'If that was you, sign in with this address, or erase that account first. If it was not you, ignore this mail.',
    ],
    link: signInLink(ctx),
  })
}

/** Goes to the present address. It does not name the new one: the mailbox may belong to somebody else by now. */
export async function sendAddressNotice(ctx: Context, email: string): Promise<void> {
  const { operator } = ctx.config
  await send(ctx, {
    to: email,
    subject: 'Your address is about to change',
    paragraphs: [
      `Somebody who knows your password asked to change the address of your ${operator.name} account. It changes when the new address is confirmed.`,
      'If that was you, there is nothing to do here. If it was not you, change your password now: that also ends the change.',
    ],
    link: signInLink(ctx),
  })
}

/** Goes to the earlier address. */
export async function sendAddressChanged(ctx: Context, email: string): Promise<void> {
  const { operator } = ctx.config
  await send(ctx, {
    to: email,
    subject: 'Your address was changed',
    paragraphs: [
      `Your ${operator.name} account has another address now, and this one can no longer be used to sign in.`,
      'If that was not you, write to the people who run this service at once: they can give the account its address back.',
    ],
    link: signInLink(ctx),
  })
}

function signInLink({ config }: Context) {
  return { label: 'Sign in', url: `${config.publicUrl}/sign-in` }
}

type AddressMail = Omit<Parameters<typeof composeMail>[0], 'operator'>

async function send(ctx: Context, mail: AddressMail): Promise<void> {
  await sendMail(ctx, composeMail({ ...mail, operator: ctx.config.operator }), { lastsMs: linkValidSeconds * 1000 })
}

/** The token of a new link. It contains the new address; the database has only a hash of both. */
export function createAddressToken(email: string): string {
  return `${randomBytes(24).toString('base64url')}.${Buffer.from(email).toString('base64url')}`
}

/** The address in a token. It counts only if the hash of the token is in the database. */
export function readAddress(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
}

export function hashAddressToken(token: string): string {
  return createHash('sha256').update(`address ${token}`).digest('base64url')
}
