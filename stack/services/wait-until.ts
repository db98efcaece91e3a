import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type WaitOptions = { what: string; withinMs: number; everyMs?: number }

/** Calls `isReady` until it returns true. An error counts as "not ready yet", except WaitAborted. */
export async function waitUntil(
  isReady: () => Promise<boolean> | boolean,
  { what, withinMs, everyMs = 50 }: WaitOptions,
): Promise<void> {
  const end = Date.now() + withinMs
  let last: unknown
  while (Date.now() < end) {
    try {
      if (await isReady()) return
    } catch (error) {
      if (error instanceof WaitAborted) throw error
      last = error
    }
    await sleep(everyMs)
  }
  throw new Error(`timed out after ${withinMs} ms: ${what}`, { cause: last })
}

/** Thrown by `isReady` when waiting longer cannot help. */
export class WaitAborted extends Error {}

/** Whether the address answers with a status of success. */
export async function respondsOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}

/** Whether an HTTP server answers at the address, with any status. */
export async function responds(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
  await response.body?.cancel()
  return true
}

/** Whether a program accepts connections on this port of loopback. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
