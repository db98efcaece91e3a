import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { recordAccountEvent, type AccountAction } from '../../audit/record-change.ts'
import { describeRequest } from '../account-request.ts'
import { findCodeOwner } from '../claim-code.ts'
import type { Auth } from '../create-auth.ts'
import { findSessionHolder } from '../find-session-holder.ts'
import { findPersonByEmail } from '../person.store.ts'
import { sessionCookie } from '../cookies/session-cookie.ts'

/** The paths that start a session, and how. */
const methods: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'code',
  '/two-factor/verify-backup-code': 'backup code',
  '/passkey/verify-authentication': 'passkey',
  '/callback/oidc': 'identity provider',
}

/** What a signed-in person does at the other paths. Resetting a password is recorded by `create-auth.ts`, which knows the person. */
const actions: Readonly<Record<string, AccountAction>> = {
  '/sign-out': 'sign_out',
  '/revoke-session': 'session.revoke',
  '/revoke-other-sessions': 'session.revoke',
  '/change-password': 'password.change',
  '/two-factor/enable': 'two_factor.start',
  // The first correct code of a person who is signed in switches it on.
  '/two-factor/verify-totp': 'two_factor.enable',
  '/two-factor/disable': 'two_factor.disable',
  '/two-factor/generate-backup-codes': 'two_factor.backup_codes',
  '/passkey/verify-registration': 'passkey.add',
  '/passkey/delete-passkey': 'passkey.remove',
  '/unlink-account': 'sign_in_method.remove',
  '/update-user': 'profile.change',
}

export type Attempt = {
  path: string
  request: FastifyRequest
  body: Record<string, unknown> | undefined
  /** The person who was signed in when the request came. */
  personId: string | null
  response: Response
  auth: Auth
}

/** The person whose session a recorded request has, read before the request can end the session. */
export async function findRecordedPerson(ctx: Context, path: string, request: FastifyRequest): Promise<string | null> {
  if (!(path in actions)) return null
  const cookie = sessionCookie(ctx.config, request.headers.cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  return holder?.personId ?? null
}

/** Writes an attempt to sign in, or a change of an account, into the audit log of the person. */
export async function recordAttempt(ctx: Context, attempt: Attempt): Promise<void> {
  const { path, request, personId, response } = attempt
  if (response.status >= 400) {
    // Not awaited: the answer takes the same time for a known and for an unknown address.
    void recordFailure(ctx, attempt).catch((err: unknown) => ctx.log.error({ err }, 'a failed attempt was not recorded'))
    return
  }
  const action = actions[path]
  if (personId !== null && action) {
    await recordAccountEvent(ctx, ctx.db.system, { personId, action, ...describeRequest(request) })
    return
  }
  const method = methods[path]
  const signedIn = method === undefined ? null : await findNewSession(ctx, response)
  if (method !== undefined && signedIn !== null)
    await recordAccountEvent(ctx, ctx.db.system, {
      personId: signedIn,
      action: 'sign_in',
      detail: method,
      ...describeRequest(request),
    })
}

async function findNewSession(ctx: Context, response: Response): Promise<string | null> {
  for (const line of response.headers.getSetCookie()) {
    const cookie = sessionCookie(ctx.config, line.split(';')[0])
    const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
    if (holder) return holder.personId
  }
  return null
}

/** Answers that mean a wrong password, code or passkey. Other refusals, such as a missing field, say nothing about an attack. */
const wrongStatus = 401
const wrongCodes = new Set(['INVALID_PASSWORD', 'INVALID_CODE', 'INVALID_BACKUP_CODE', 'INVALID_TWO_FACTOR_COOKIE'])

async function recordFailure(ctx: Context, attempt: Attempt): Promise<void> {
  const { path, request, body, personId, response } = attempt
  const method = methods[path]
  const isPassword = body !== undefined && ('password' in body || 'currentPassword' in body)
  if (method === undefined && !isPassword) return
  const { code = '' } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string }
  if (response.status !== wrongStatus && !wrongCodes.has(code)) return
  const person = personId ?? (await findAttackedPerson(ctx, attempt))
  const { ipAddress, traceId } = describeRequest(request)
  // Neither the password nor the address as it was typed: people sometimes type a password into the wrong field.
  ctx.log.warn({ path: `/auth${path}`, ipAddress, traceId, personId: person }, 'a wrong password or code was given')
  if (person === null) return
  const action = method === undefined || personId !== null ? 'password.wrong' : 'sign_in.failed'
  await recordAccountEvent(ctx, ctx.db.system, { personId: person, action, detail: method ?? path, ...describeRequest(request) })
}

/** The person who was to be signed in: known by the address, or by the cookie of a sign-in that waits for its second factor. */
async function findAttackedPerson(ctx: Context, { request, body, auth }: Attempt): Promise<string | null> {
  const email = body?.['email']
  if (typeof email === 'string') return (await findPersonByEmail(ctx.db.system, email))?.id ?? null
  return findCodeOwner(ctx, auth, request)
}
