import type { Context } from '../../../context.ts'
import { clientNetwork } from '../../../infra/rate-limit/client-network.ts'
import { throttleAttempt } from './throttle-attempt.ts'

const windowMs = 60 * 60_000
const mailboxLimit = { name: 'mail', max: 5, windowMs }

/**
 * Limits the mails that strangers can cause in the operator's name: five an hour to one mailbox, a twentieth of the installation's limit
 * from one network, and that limit from all networks together. In this order, what one limit refuses does not use up the next.
 */
export async function throttleMail(ctx: Context, { email, ip }: { email: string; ip: string }): Promise<void> {
  const { accountMailsPerHour } = ctx.config
  await throttleAttempt(ctx, mailboxLimit, mailboxOf(email))
  const ofNetwork = { name: 'mail of a network', max: Math.ceil(accountMailsPerHour / 20), windowMs }
  await throttleAttempt(ctx, ofNetwork, clientNetwork(ip))
  await throttleAttempt(ctx, { name: 'mail of all networks', max: accountMailsPerHour, windowMs }, '')
}

/** Most mail servers deliver `name+anything@host` to the mailbox of `name@host`. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [name] = email.slice(0, at).split('+')
  return `${name}${email.slice(at)}`
}
