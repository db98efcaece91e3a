import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '@carillon/stack/services'
import { pauseProcess } from './pause-process.ts'

/** A process that ended without a chance to store what it knew. */
export type Crash = { part: string; atMs: number }

export type Supervisor = {
  kill(part: string, downMs: number, whileDown?: () => Promise<void>): Promise<void>
  /** SIGSTOP, and SIGCONT after this long. */
  pause(part: string, forMs: number): Promise<void>
  /** Stops a part as a deploy does, and starts it again. */
  replace(part: string): Promise<void>
  /** Kills a part for good. */
  retire(part: string): Promise<void>
  /** Parts that ended without being asked to. They are restarted, but the run fails. */
  crashes: readonly Crash[]
  /** Parts that were killed, and those that crashed. */
  deaths: readonly Crash[]
  stop(): Promise<void>
}

const checkEveryMs = 200
const restartWithinMs = 240_000

/** Interrupts and restarts the parts of a stack. The faults of one part happen one after another; different parts may be down together. */
export function createSupervisor(parts: Readonly<Record<string, Running>>): Supervisor {
  const turns = new Map<string, Promise<unknown>>()
  const crashes: Crash[] = []
  const deaths: Crash[] = []
  const retired = new Set<string>()
  let isStopped = false
  const inTurn = (name: string, work: (part: Running) => Promise<void>): Promise<void> => {
    const part = parts[name]
    if (!part) throw new Error(`there is no part "${name}"`)
    const turn = Promise.resolve(turns.get(name)).then(() => work(part))
    turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }
  const watch = async (name: string) => {
    while (!isStopped) {
      await sleep(checkEveryMs)
      await inTurn(name, async (part) => {
        if (isStopped || retired.has(name) || part.isAlive()) return
        crashes.push({ part: name, atMs: Date.now() })
        // It may have ended since it was looked at before.
        deaths.push({ part: name, atMs: Date.now() - checkEveryMs })
        await restartUntilUp(part)
      })
    }
  }
  const watching = Object.keys(parts).map(watch)
  return {
    crashes,
    deaths,
    kill: (name, downMs, whileDown) =>
      inTurn(name, async (part) => {
        deaths.push({ part: name, atMs: Date.now() })
        await part.kill()
        await whileDown?.()
        await sleep(downMs)
        await restartUntilUp(part)
      }),
    pause: (name, forMs) =>
      inTurn(name, async (part) => {
        const resume = pauseProcess(part.pid)
        try {
          await sleep(forMs)
        } finally {
          resume()
        }
      }),
    retire: (name) =>
      inTurn(name, async (part) => {
        retired.add(name)
        deaths.push({ part: name, atMs: Date.now() })
        await part.kill()
      }),
    replace: (name) => inTurn(name, restartUntilUp),
    async stop() {
      isStopped = true
      await Promise.all(watching)
    },
  }
}

/** Tries again when a restart fails, because a server cannot start while its database is down. */
async function restartUntilUp(part: Running): Promise<void> {
  const endMs = Date.now() + restartWithinMs
  for (;;) {
    try {
      await part.restart()
      return
    } catch (error) {
      if (Date.now() > endMs) throw error
      await sleep(checkEveryMs)
    }
  }
}
