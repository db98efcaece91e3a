import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

const toleranceMs = 300_000
const prefix = 'whsec_'

/** The secret that a request is signed with; undefined for a wrong signature and for one that is too old. The secret itself is never sent. */
export function findSigner(context: PlatformContext, call: Call): string | undefined {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => call.headers[name])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return undefined
  if (!/^\d{1,12}$/.test(timestamp)) return undefined
  // Tests move the clock of the simulator ahead. A running service, which signs by its own, does not follow.
  const isNow = [context.now(), Date.now()].some((nowMs) => Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceMs)
  if (!isNow) return undefined
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []))
  const sign = (secret: string) => createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(call.body).digest()
  const isSignedWith = (secret: string) => {
    const wanted = sign(secret)
    return given.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted))
  }
  return context.tokens.all().find(({ value }) => isSignedWith(value))?.value
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
}
