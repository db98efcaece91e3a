import { createHmac } from 'node:crypto'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { authSecretConfig } from './auth-secrets.ts'
import { secondFactorCookie, sessionCookie, verifyCookie } from './cookies/session-cookie.ts'
import type { Auth } from './create-auth.ts'
import { findSessionHolder } from './find-session-holder.ts'
import { claimStep, findSecret } from './second-factor.store.ts'

const stepMs = 30_000
/** better-auth accepts the code before and after the current one. One more, because a step may end before it compares. */
const steps = [-1, 0, 1, 2]

/** The person to whom a code belongs: the one who is signed in, or whose password was accepted a moment ago. */
export async function findCodeOwner(ctx: Context, auth: Auth, { headers }: FastifyRequest): Promise<string | null> {
  const session = sessionCookie(ctx.config, headers.cookie)
  const holder = session === null ? undefined : await findSessionHolder(ctx, session, null)
  if (holder) return holder.personId
  const cookie = secondFactorCookie(ctx.config, headers.cookie)
  const identifier = cookie === null ? null : verifyCookie(ctx.config, 'two_factor', cookie)
  if (identifier === null) return null
  const { internalAdapter } = await auth.$context
  return (await internalAdapter.findVerificationValue(identifier))?.value ?? null
}

/**
 * Uses up a code of an authenticator app, because better-auth accepts a code as often as it is sent while it is valid. False if this code
 * or a later one was accepted before. A code that is wrong is left to better-auth, which counts it.
 */
export async function claimCode(ctx: Context, personId: string, code: string): Promise<boolean> {
  const stored = await findSecret(ctx.db.system, personId)
  if (stored === undefined) return true
  const secret = await symmetricDecrypt({ key: authSecretConfig(ctx.config.secretKeys), data: stored })
  const current = Math.floor(ctx.nowMs() / stepMs)
  const step = steps.map((distance) => current + distance).find((each) => codeOf(secret, each) === code)
  return step === undefined || claimStep(ctx.db.system, { personId, step })
}

/** RFC 4226, section 5.3. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const truncated = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff
  return String(truncated % 1_000_000).padStart(6, '0')
}
