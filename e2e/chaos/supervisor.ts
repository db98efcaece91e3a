import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '@carillon/stack/services'
import type { Kill } from './plan.ts'

export type Outage = { part: string; atMs: number; upAtMs: number; isCrash: boolean }

export type Supervisor = {
  /** Kills the parts as planned and restarts each. Resolves when all are up. */
  killAsPlanned(kills: readonly Kill[], beganMs: number): Promise<Outage[]>
  /** Every outage so far, crashes included. */
  history: readonly Outage[]
  stop(): Promise<void>
}

const checkEveryMs = 200
const restartWithinMs = 120_000

/**
 * Kills and restarts the parts of a stack. The kills of one part happen one after another; different parts may be down together. A part
 * that ends without being killed has crashed: it is restarted, and the crash is recorded, because it fails the run.
 */
export function createSupervisor(parts: Readonly<Record<string, Running>>): Supervisor {
  const turns = new Map<string, Promise<unknown>>()
  const history: Outage[] = []
  let isStopped = false
  const runInTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = Promise.resolve(turns.get(name)).then(work)
    turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }
  const restartPart = async (outage: Outage, part: Running) => {
    history.push(outage)
    await restartUntilUp(part)
    outage.upAtMs = Date.now()
    return outage
  }
  const watchPart = async (name: string, part: Running) => {
    while (!isStopped) {
      await sleep(checkEveryMs)
      await runInTurn(name, async () => {
        if (isStopped || part.isAlive()) return
        await restartPart({ part: name, atMs: Date.now(), upAtMs: 0, isCrash: true }, part)
      })
    }
  }
  const watching = Object.entries(parts).map(([name, part]) => watchPart(name, part))
  return {
    history,
    killAsPlanned(kills, beganMs) {
      return Promise.all(
        kills.map(async ({ atMs, part: name, downMs }) => {
          const part = parts[name]
          if (!part) throw new Error(`there is no part "${name}" to kill`)
          await sleep(Math.max(0, beganMs + atMs - Date.now()))
          return runInTurn(name, async () => {
            const outage = { part: name, atMs: Date.now(), upAtMs: 0, isCrash: !part.isAlive() }
            await part.kill()
            await sleep(downMs)
            return restartPart(outage, part)
          })
        }),
      )
    },
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
