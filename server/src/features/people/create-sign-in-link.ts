import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { StartError } from '../../infra/problem/problem.ts'
import { recordAccountEvent } from '../audit/record-change.ts'
import { linkValidSeconds, passwordLink } from './account-mails.ts'
import { authInstances } from './create-auth-instances.ts'
import { findPersonByEmail } from './person.store.ts'

export type SignInLink = { email: string; link: string; expiresAt: string }

/** A link with which a person sets a password, as in the mail after "Forgotten?". The operator made sure that the address is theirs. */
export async function createSignInLink(ctx: Context, email: string): Promise<SignInLink> {
  const person = await findPersonByEmail(ctx.db.system, email)
  if (!person)
    throw new StartError(
      `No person has the address ${email}. Invite them to a workspace, or create them with "carillon setup --email ${email}".`,
    )
  const token = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + linkValidSeconds * 1000)
  const { internalAdapter } = await authInstances(ctx).current().$context
  // The entry is written first: a link that works without one must not exist.
  const origin = { ipAddress: null, userAgent: null, traceId: newUuid() }
  await recordAccountEvent(ctx, ctx.db.system, { personId: person.id, action: 'sign_in_link.create', ...origin })
  await internalAdapter.createVerificationValue({ identifier: `reset-password:${token}`, value: person.id, expiresAt })
  return { email: person.email, link: passwordLink(ctx, token), expiresAt: expiresAt.toISOString() }
}
