import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId, newUuid } from '../../../infra/db/ids.ts'
import { StartError, problem } from '../../../infra/problem/problem.ts'
import { recordAccountEvent } from '../../audit/record-change.ts'
import { linkValidSeconds } from '../account-mails.ts'
import { describeRequest } from '../account-request.ts'
import { throttleAttempt } from '../attempts/throttle-attempt.ts'
import { throttleMail } from '../attempts/throttle-mail.ts'
import { type SignedInPerson, confirmIdentity, findSignedIn } from '../passwords/confirm-identity.ts'
import { type Person, deleteVerifications, findPersonByEmail, findPersonById } from '../person.store.ts'
import { deleteSessions } from '../session.store.ts'
import {
  createAddressToken,
  hashAddressToken,
  readAddress,
  sendAddressChanged,
  sendAddressLink,
  sendAddressNotice,
  sendAddressTaken,
} from './address-mails.ts'
import { insertAddressLink, isAddressTaken, takeAddressLink, updateAddress } from './address.store.ts'

type Change = { personId: string; email: string; isProven: boolean; keptSession: string | null }

/**
 * Gives a person another address. Every other session ends, and so does every link that was mailed to the earlier address: whoever reads that
 * mailbox must not be able to set a password with it.
 */
async function changeAddress(tx: Tx, { personId, email, isProven, keptSession }: Change): Promise<void> {
  await updateAddress(tx, { personId, email, isProven })
  await deleteVerifications(tx, personId)
  await deleteSessions(tx, personId, { except: keptSession })
}

const lengthMax = 254

/**
 * Whether this is an address with which better-auth lets a person sign in: it refuses any other form before it looks it up. Its own rule, so
 * that nobody changes to an address and is locked out.
 */
export function isAddress(text: string): boolean {
  const [name = '', host = '', ...more] = text.split('@')
  return (
    text.length <= lengthMax &&
    more.length === 0 &&
    /^[\w'+.-]*[\w+-]$/.test(name) &&
    !name.startsWith('.') &&
    !name.includes('..') &&
    /^(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i.test(host)
  )
}

export type AssignedAddress = { personId: string; from: string; to: string }

/**
 * Changes a person's address without a mail to the new one. The operator made sure that it is theirs. Signs the person out everywhere, because
 * this is also how they get their account back. An address that was never confirmed stays so.
 */
export async function assignAddress(ctx: Context, { from, to }: { from: string; to: string }): Promise<AssignedAddress> {
  const email = to.trim().toLowerCase()
  if (!isAddress(email)) throw new StartError(`${to} is not an e-mail address.`)
  const person = await findPersonByEmail(ctx.db.system, from)
  if (!person) throw new StartError(`No person has the address ${from}.`)
  const origin = { ipAddress: null, userAgent: null, traceId: newUuid() }
  const detail = `${person.email} → ${email}`
  await ctx.db.system
    .transaction()
    .execute(async (tx) => {
      await changeAddress(tx, { personId: person.id, email, isProven: false, keptSession: null })
      await recordAccountEvent(ctx, tx, { personId: person.id, action: 'address.assign', detail, ...origin })
    })
    .catch((error: unknown) => {
      throw isAddressTaken(error) ? new StartError(`Another person has the address ${email}.`) : error
    })
  await sendAddressChanged(ctx, person.email)
  return { personId: person.id, from: person.email, to: email }
}

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
