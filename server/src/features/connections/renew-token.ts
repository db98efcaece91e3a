import type { Context } from '../../context.ts'
import type { ConnectionKey, RenewalResult } from './jobs.ts'
import { requestNewToken } from './request-new-token.ts'
import { storeTokenAnswer } from './store-token-answer.ts'

/** Runs one step of a run and stores its result in the engine's journal, so that a repeated run uses the result of the first. */
export type JournaledStep = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * Renews the token of a connection. The platform's answer is journaled before it is stored: a refresh token may work only once, so a new one
 * must not be lost while the database is away.
 */
export async function renewToken(
  ctx: Context,
  key: ConnectionKey,
  { seenAtMs, step }: { seenAtMs: number; step: JournaledStep },
): Promise<RenewalResult> {
  const answer = await step('request', () => requestNewToken(ctx, key, seenAtMs))
  return step('store', () => storeTokenAnswer(ctx, key, answer))
}
