import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { checkWitness, copyWitness, type WitnessCheck } from './check-witness.ts'

const attemptsMax = 60
const remindEveryMs = 60_000

/**
 * Compares the database with its witness, before the worker does anything else. Then `beat` must run every 8 s: a comparison allows sending
 * for 40 s. A fenced worker keeps running: it does what sends nothing, and it goes on by itself when an operator has lifted the fence.
 */
export async function startWitness(ctx: Context): Promise<{ beat(): Promise<WitnessCheck>; stop(): Promise<void> }> {
  await checkFirst(ctx)
  let remindedAtMs = -Infinity
  return {
    async beat() {
      const check = await checkWitness(ctx)
      if (check === 'fenced' && ctx.nowMs() - remindedAtMs >= remindEveryMs) {
        remindedAtMs = ctx.nowMs()
        ctx.log.error('the database is fenced: nothing is sent; see docs/guides/backups.md')
      }
      return check
    },
    async stop() {
      await copyWitness(ctx).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'the witness of the database could not be stored when the worker stopped'),
      )
    },
  }
}

/** The engine may still be starting. Without an answer from it, nothing is known about the database. */
async function checkFirst(ctx: Context): Promise<WitnessCheck> {
  for (let n = 1; ; n++) {
    const check = await checkWitness(ctx)
    if (check !== 'undecided') return check
    if (n >= attemptsMax) throw new Error('the witness of the database could not be read; is the engine running?')
    await sleep(1000)
  }
}
