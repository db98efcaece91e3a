import { createHash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { countAttempt, deleteAttempts } from './attempt.store.ts'

export type Throttle = { name: string; max: number; windowMs: number }

/**
 * Counts an attempt before it is made, across all nodes, and refuses it when there were too many. Unknown addresses are counted like known
 * ones, so that the refusal does not reveal which accounts exist.
 */
export async function throttleAttempt(ctx: Context, { name, max, windowMs }: Throttle, subject: string): Promise<void> {
  const nowMs = ctx.nowMs()
  const { attempts, endsAt } = await countAttempt(ctx.db.system, {
    key: keyOf(name, subject),
    now: new Date(nowMs),
    endsAt: new Date(nowMs + windowMs),
  })
  if (attempts <= max) return
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - nowMs) / 1000))
  throw problem('rate_limited', {
    retryAfterSeconds,
    message: `Too many attempts; the next one is possible in ${retryAfterSeconds} s.`,
  })
}

/** Resets the count after a successful attempt. */
export function clearAttempts(ctx: Context, { name }: Throttle, subject: string): Promise<void> {
  return deleteAttempts(ctx.db.system, keyOf(name, subject))
}

/** Hashed, because people sometimes type a password into the wrong field. */
function keyOf(name: string, subject: string): Buffer {
  return createHash('sha256').update(`${name} ${subject.trim().toLowerCase()}`).digest()
}
