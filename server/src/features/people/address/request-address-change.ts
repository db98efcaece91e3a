import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { newId } from '../../../infra/db/ids.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { linkValidSeconds } from '../account-mails.ts'
import { describeRequest } from '../account-request.ts'
import { throttleAttempt } from '../attempts/throttle-attempt.ts'
import { throttleMail } from '../attempts/throttle-mail.ts'
import { confirmIdentity } from '../passwords/confirm-identity.ts'
import { findPersonByEmail, findPersonById, type Person } from '../person.store.ts'
import { createAddressToken, hashAddressToken } from './address-link.ts'
import { sendAddressLink, sendAddressNotice, sendAddressTaken } from './address-mails.ts'
import { insertAddressLink } from './address.store.ts'
import { isAddress } from './is-address.ts'

/** Each sends a mail to an address that the person only claims to have. */
const requestLimit = { name: 'change of address', max: 5, windowMs: 60 * 60_000 }

/**
 * Mails a link to a new address. The address changes when the link is opened. The answer is the same, and takes the same time, for an address
 * that another person has.
 */
export async function requestAddressChange(
  ctx: Context,
  request: FastifyRequest,
  { email: given, password }: { email: string; password: string | null },
): Promise<void> {
  const email = given.trim().toLowerCase()
  if (!isAddress(email)) throw invalidAddress('Must be an e-mail address.')
  const { personId } = await confirmIdentity(ctx, request, { password, purpose: 'changing the address' })
  const person = await findPersonById(ctx.db.system, personId)
  if (!person) throw problem('session_ended')
  if (person.email.toLowerCase() === email) throw invalidAddress('This is your address already.')
  await throttleAttempt(ctx, requestLimit, personId)
  await throttleMail(ctx, { email, ip: request.ip })
  // Without the address: it may be another person's, and the log of this one outlives them.
  await recordAccountEvent(ctx, ctx.db.system, { personId, action: 'address.request', ...describeRequest(request) })
  void sendMails(ctx, person, email).catch((err: unknown) => ctx.log.warn({ err }, 'a mail was not sent'))
}

async function sendMails(ctx: Context, person: Person, email: string): Promise<void> {
  await sendAddressNotice(ctx, person.email)
  if (await findPersonByEmail(ctx.db.system, email)) return sendAddressTaken(ctx, email)
  const nowMs = ctx.nowMs()
  const token = createAddressToken(email)
  await insertAddressLink(ctx.db.system, {
    id: newId(nowMs),
    identifier: hashAddressToken(token),
    personId: person.id,
    now: new Date(nowMs),
    expiresAt: new Date(nowMs + linkValidSeconds * 1000),
  })
  await sendAddressLink(ctx, { email, token })
}

function invalidAddress(message: string) {
  return problem('request_invalid', { details: [{ path: 'email', message }] })
}
