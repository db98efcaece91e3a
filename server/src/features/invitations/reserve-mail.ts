import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { reserveQuota, type Quota, type Reservation } from '../../infra/quota/reserve-quota.ts'

const dayMs = 86_400_000
/** A person may invite a colleague to several workspaces in one day. */
const workspacesPerAddress = 10

type InvitationMail = { workspaceId: string; personId: string; email: string }

/**
 * Takes one mail from the allowances of the workspace, of the person, and of each of them for this address. There is no allowance of an
 * address alone: with one, strangers could use it up and so prevent that the address is invited at all.
 */
export function reserveMail(ctx: Context, { workspaceId, personId, email }: InvitationMail): Promise<Reservation> {
  const { mailsPerDay, mailsPerAddress } = ctx.config.quotas
  const address = email.toLowerCase()
  const quotas: Quota[] = [
    { name: 'mails of workspace', of: workspaceId, max: mailsPerDay, windowMs: dayMs },
    { name: 'mails of person', of: personId, max: mailsPerDay, windowMs: dayMs },
    { name: 'mails of workspace to address', of: `${workspaceId} ${address}`, max: mailsPerAddress, windowMs: dayMs },
    {
      name: 'mails of person to address',
      of: `${personId} ${address}`,
      max: mailsPerAddress * workspacesPerAddress,
      windowMs: dayMs,
    },
  ]
  return reserveQuota(ctx, quotas, ({ name, max }, retryAfterSeconds) => {
    const message = name.endsWith('address')
      ? `${max} invitations were sent to this address in the last 24 hours. The next one is possible in ${inHours(retryAfterSeconds)}.`
      : `${max} invitations were sent in the last 24 hours. The next one is possible in ${inHours(retryAfterSeconds)}.`
    return problem('mail_limit_reached', { message, retryAfterSeconds })
  })
}

function inHours(seconds: number): string {
  const hours = Math.ceil(seconds / 3600)
  return hours === 1 ? 'one hour' : `${hours} hours`
}
