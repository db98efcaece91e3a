import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { clientNetwork } from '../../../infra/rate-limit/client-network.ts'
import { findKnownDevice } from '../cookies/known-device.ts'
import { clearAttempts, throttleAttempt } from './throttle-attempt.ts'

const windowMs = 15 * 60_000
const ownLimit = { name: 'sign-in', max: 10, windowMs }
const strangersLimit = { name: 'sign-in of strangers', max: 100, windowMs }

/**
 * Limits the passwords that can be tried for an address: ten from one network, and a hundred from all networks together. A device on which
 * the person has signed in before has ten of its own and is not affected by what strangers try. Returns how to reset the count after a
 * correct password.
 */
export async function throttleSignIn(ctx: Context, { headers, ip }: FastifyRequest, email: string): Promise<() => Promise<void>> {
  const device = findKnownDevice(ctx.config, headers.cookie, email)
  const subject = device === null ? `${email} from ${clientNetwork(ip)}` : `${email} on ${device}`
  // In this order, a network that has used up its attempts does not use up those of the others.
  await throttleAttempt(ctx, ownLimit, subject)
  if (device === null) await throttleAttempt(ctx, strangersLimit, email)
  return () => clearAttempts(ctx, ownLimit, subject)
}

/** A person who has set a new password with a mailed link can use it at once, whatever strangers have tried. */
export function forgetStrangers(ctx: Context, email: string): Promise<void> {
  return clearAttempts(ctx, strangersLimit, email)
}
