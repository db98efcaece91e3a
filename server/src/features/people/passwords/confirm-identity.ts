import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordAccountEvent } from '../../audit/record-change.ts'
import { describeRequest } from '../account-request.ts'
import { throttlePassword } from '../attempts/throttle-password.ts'
import { sessionCookie, verifyCookie } from '../cookies/session-cookie.ts'
import { findSessionHolder } from '../find-session-holder.ts'
import { findConfirmation } from '../session.store.ts'
import { verifyPassword } from './hash-password.ts'

/** A person without a password confirms by having signed in this recently. */
const freshMs = 10 * 60_000

export type SignedInPerson = { personId: string; sessionToken: string }

/** Who is signed in. Only a session counts: an API key must not be able to change the account of the person who made it. */
export async function findSignedIn(ctx: Context, request: FastifyRequest): Promise<SignedInPerson | null> {
  const cookie = sessionCookie(ctx.config, request.headers.cookie)
  const sessionToken = cookie === null ? null : verifyCookie(ctx.config, 'session_token', cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  return holder && sessionToken !== null ? { personId: holder.personId, sessionToken } : null
}

/**
 * The person who is signed in, once they have confirmed that it is them: with their password or, without one, by having signed in a moment
 * ago. For what a stolen session alone must not be able to do. `purpose` is what the log of the account says about a wrong password.
 */
export async function confirmIdentity(
  ctx: Context,
  request: FastifyRequest,
  { password, purpose }: { password: string | null; purpose: string },
): Promise<SignedInPerson> {
  const person = await findSignedIn(ctx, request)
  const found = person && (await findConfirmation(ctx.db.system, person.personId, person.sessionToken))
  if (!person || !found) throw problem('session_ended')
  const { passwordHash, sessionCreatedAt } = found
  if (passwordHash === null) {
    if (ctx.nowMs() - sessionCreatedAt.getTime() <= freshMs) return person
    throw problem('confirmation_required', { message: 'Sign in again, and repeat this within ten minutes.' })
  }
  // Counted together with the attempts to change the password.
  const reset = await throttlePassword(ctx, request, person.sessionToken)
  if (password !== null && (await verifyPassword({ hash: passwordHash, password }))) {
    await reset()
    return person
  }
  if (password !== null) await recordWrongPassword(ctx, request, { personId: person.personId, purpose })
  throw problem('confirmation_required', { message: 'Send your current password with this request.' })
}

async function recordWrongPassword(
  ctx: Context,
  request: FastifyRequest,
  { personId, purpose }: { personId: string; purpose: string },
): Promise<void> {
  const origin = describeRequest(request)
  ctx.log.warn({ ...origin, personId }, 'a wrong password or code was given')
  await recordAccountEvent(ctx, ctx.db.system, { ...origin, personId, action: 'password.wrong', detail: purpose })
}
