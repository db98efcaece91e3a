import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StackFault } from '../plan/plan-stack-faults.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import type { Link } from '../stack/start-link.ts'

const clockOffsetMs = 3000
const slowByMs = 120

/** Carries out one fault and resolves when it is over and every part is up. Gives the reason if it could not be carried out. */
export async function carryOutStackFault(stack: ChaosStack, { kind, target, forMs }: StackFault): Promise<string | null> {
  const { supervisor, receiver, clock, engineDataDir } = stack
  const targets = target.split(' ')
  switch (kind) {
    case 'kill api':
    case 'kill worker':
    case 'kill engine':
    case 'kill database':
      await supervisor.kill(target, forMs)
      return null
    case 'wipe engine':
      if (engineDataDir === null) return 'a cluster is not wiped'
      await supervisor.kill(target, forMs, () => rm(engineDataDir, { recursive: true, force: true }))
      return null
    case 'pause api':
    case 'pause worker':
    case 'pause engine':
    case 'pause database':
    case 'long pause':
      await Promise.all(targets.map((each) => supervisor.pause(each, forMs)))
      return null
    case 'rolling deploy':
      for (const each of targets) await supervisor.replace(each)
      return null
    case 'cut database':
    case 'cut engine':
      await linkOf(stack, target).cut(forMs)
      return null
    case 'half-open database':
    case 'half-open engine':
      linkOf(stack, target).halfOpen()
      return null
    case 'partition database':
    case 'partition engine':
      await linkOf(stack, target).partition(forMs)
      return null
    case 'slow database':
    case 'slow engine':
      await linkOf(stack, target).slow(forMs, slowByMs)
      return null
    case 'webhooks hang':
    case 'webhooks fail':
      await receiver.misbehave(kind === 'webhooks hang' ? 'hang' : 'fail', forMs)
      return null
    case 'clock ahead':
    case 'clock behind':
      if (!clock) return 'libfaketime is not installed'
      await clock.shift(kind === 'clock ahead' ? clockOffsetMs : -clockOffsetMs)
      await sleep(forMs)
      await clock.shift(0)
      return null
  }
}

function linkOf({ links }: ChaosStack, name: string): Link {
  const link = links[name]
  if (!link) throw new Error(`there is no connection "${name}"`)
  return link
}
