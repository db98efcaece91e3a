import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Waiting = { what: string; withinMs: number; everyMs?: number }

/** Asks again and again until the answer is yes. An error while asking counts as "not yet". */
export async function waitUntil(
  isReady: () => Promise<boolean> | boolean,
  { what, withinMs, everyMs = 50 }: Waiting,
): Promise<void> {
  const end = Date.now() + withinMs
  let last: unknown
  while (Date.now() < end) {
    try {
      if (await isReady()) return
    } catch (error) {
      if (error instanceof Hopeless) throw error
      last = error
    }
    await sleep(everyMs)
  }
  throw new Error(`${what}: not within ${withinMs} ms`, { cause: last })
}

/** Thrown while waiting when waiting longer cannot help. */
export class Hopeless extends Error {}

/** Does this address answer with success? */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}

/** Is somebody there who speaks HTTP, whatever they say? */
export async function answersAtAll(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
  await response.body?.cancel()
  return true
}

/** Does anybody take connections on this port of loopback? */
export function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
