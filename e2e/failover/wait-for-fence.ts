import { setTimeout as sleep } from 'node:timers/promises'
import { measureSlowness } from '../support/slowness.ts'
import type { DrillStack } from './start-drill-stack.ts'

/**
 * Longer than a database that is not fenced takes to send again what it forgot: a minute after its due time, a channel that was claimed
 * returns to the schedule.
 */
const withinMs = 80_000
/** A drill without a fence must still end in time to be judged and recorded. */
const slownessMax = 2

/** Waits until readiness reports the fence. If it never does, the drill goes on, and its figures show what was sent again. */
export async function waitForFence({ info }: DrillStack): Promise<{ isFenced: boolean; atMs: number }> {
  const url = `${new URL(info.baseUrl).origin}/health/ready`
  const endMs = Date.now() + withinMs * Math.min(slownessMax, measureSlowness())
  while (Date.now() < endMs) {
    const text = await fetch(url, { signal: AbortSignal.timeout(3000) }).then(
      (response) => response.text(),
      () => '',
    )
    if (text.includes('fenced')) return { isFenced: true, atMs: Date.now() }
    await sleep(300)
  }
  return { isFenced: false, atMs: Date.now() }
}
