import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '@carillon/stack/services'
import type { Kill } from './plan.ts'

export type Struck = { part: string; atMs: number; upAtMs: number; isCrash: boolean }

export type Victims = {
  /** Kills the parts as planned and starts each again; done when all are up. */
  strike(kills: readonly Kill[], beganMs: number): Promise<Struck[]>
  /** Every death so far, also those nobody planned. */
  history: readonly Struck[]
  stop(): Promise<void>
}

const supervisorLooksEveryMs = 200
const supervisorGivesUpMs = 120_000

/**
 * The parts that may be killed. One part dies once at a time; different parts may be down together. A part that ends although nobody
 * killed it has crashed: it is started again, as any supervisor would, and the crash is held against it.
 */
export function createVictims(parts: Readonly<Record<string, Running>>): Victims {
  const turns = new Map<string, Promise<unknown>>()
  const history: Struck[] = []
  let isStopped = false
  const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = Promise.resolve(turns.get(name)).then(work)
    turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }
  const revive = async (struck: Struck, part: Running) => {
    history.push(struck)
    await supervise(part)
    struck.upAtMs = Date.now()
    return struck
  }
  const lookAfter = async (name: string, part: Running) => {
    while (!isStopped) {
      await sleep(supervisorLooksEveryMs)
      await inTurn(name, async () => {
        if (isStopped || part.isAlive()) return
        await revive({ part: name, atMs: Date.now(), upAtMs: 0, isCrash: true }, part)
      })
    }
  }
  const watching = Object.entries(parts).map(([name, part]) => lookAfter(name, part))
  return {
    history,
    strike(kills, beganMs) {
      return Promise.all(
        kills.map(async ({ atMs, part: name, downMs }) => {
          const part = parts[name]
          if (!part) throw new Error(`there is no part "${name}" to kill`)
          await sleep(Math.max(0, beganMs + atMs - Date.now()))
          return inTurn(name, async () => {
            const struck = { part: name, atMs: Date.now(), upAtMs: 0, isCrash: !part.isAlive() }
            await part.kill()
            await sleep(downMs)
            return revive(struck, part)
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

/** A server that cannot start while its database is down is simply started again. */
async function supervise(part: Running): Promise<void> {
  const endMs = Date.now() + supervisorGivesUpMs
  for (;;) {
    try {
      await part.restart()
      return
    } catch (error) {
      if (Date.now() > endMs) throw error
      await sleep(supervisorLooksEveryMs)
    }
  }
}
