import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { describeRequest } from '../account-request.ts'
import { findSignedIn, type SignedInPerson } from '../passwords/confirm-identity.ts'
import { findPersonById } from '../person.store.ts'
import { hashAddressToken, readAddress } from './address-link.ts'
import { sendAddressChanged } from './address-mails.ts'
import { isAddressTaken, takeAddressLink } from './address.store.ts'
import { changeAddress } from './change-address.ts'

/**
 * Changes the address of the person who is signed in to the one of a mailed link, and returns it; null if the link does not work. It works
 * only for the person who asked for it. Otherwise whoever has a mistyped address could take the account with it, and a stranger could have
 * their own account confirmed by the owner of an address.
 */
export async function confirmNewAddress(ctx: Context, request: FastifyRequest, token: string): Promise<string | null> {
  const person = await findSignedIn(ctx, request)
  if (!person) throw problem('session_ended')
  const email = readAddress(token)
  const earlier = await moveTo(ctx, request, { person, token, email })
  if (earlier === null) return null
  void sendAddressChanged(ctx, earlier).catch((err: unknown) => ctx.log.warn({ err }, 'a mail was not sent'))
  return email
}

type Move = { person: SignedInPerson; token: string; email: string }

/** The earlier address, or null if the link does not work. */
async function moveTo(ctx: Context, request: FastifyRequest, { person, token, email }: Move): Promise<string | null> {
  const { personId, sessionToken } = person
  const link = { identifier: hashAddressToken(token), personId, now: new Date(ctx.nowMs()) }
  const moving = ctx.db.system.transaction().execute(async (tx) => {
    const before = await findPersonById(tx, personId)
    if (!before || !(await takeAddressLink(tx, link))) return null
    await changeAddress(tx, { personId, email, isProven: true, keptSession: sessionToken })
    const detail = `${before.email} → ${email}`
    await recordAccountEvent(ctx, tx, { personId, action: 'address.change', detail, ...describeRequest(request) })
    return before.email
  })
  return moving.catch((error: unknown) => {
    // Somebody else signed up with the address after the link was mailed.
    if (isAddressTaken(error)) return null
    throw error
  })
}
