import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { clientNetwork } from '../../../infra/rate-limit/client-network.ts'
import { clearAttempts, throttleAttempt } from './throttle-attempt.ts'

const windowMs = 15 * 60_000
const ownLimit = { name: 'password', max: 10, windowMs }
const allLimit = { name: 'password of a session', max: 50, windowMs }

/**
 * Limits the passwords that can be tried in a session: ten from one network, and fifty from all networks together. Somebody else who has the
 * session must not be able to use up the attempts of the person whose it is. Returns how to reset the count after a correct password.
 */
export async function throttlePassword(ctx: Context, { ip }: FastifyRequest, sessionToken: string): Promise<() => Promise<void>> {
  const subject = `${sessionToken} from ${clientNetwork(ip)}`
  // In this order, a network that has used up its attempts does not use up those of the others.
  await throttleAttempt(ctx, ownLimit, subject)
  await throttleAttempt(ctx, allLimit, sessionToken)
  return () => clearAttempts(ctx, ownLimit, subject)
}
