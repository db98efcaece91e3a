import { seldomFaultKinds, stackFaultKinds, type StackFaultKind } from './fault-kinds.ts'
import type { Random } from './random.ts'

/** `target` is a process or a connection, by its name in the stack. `forMs` is how long the fault lasts. */
export type StackFault = { kind: StackFaultKind; atMs: number; target: string; forMs: number }

/** The names of the processes that faults can choose from. */
export type Parts = { workers: readonly [string, ...string[]]; engines: readonly [string, ...string[]] }

const faultsEach = 2
/** These take minutes, or affect all seeds that run at the same time: never added by chance. */
const rareKinds: readonly StackFaultKind[] = ['long pause', 'wipe engine']
const commonKinds = stackFaultKinds.filter((kind) => !rareKinds.includes(kind))

const seldomPeriod = 12

/** Two faults of the stack by the seed's number, so that every kind comes up, and often a third by chance. */
export function planStackFaults(random: Random, seed: number, parts: Parts): StackFault[] {
  const kinds = Array.from({ length: faultsEach }, (_, n): StackFaultKind => {
    const at = (Math.max(0, seed - 1) * faultsEach + n) % stackFaultKinds.length
    return stackFaultKinds[at] ?? 'kill worker'
  })
  if (random.happens(0.5)) kinds.push(...random.pickSome(commonKinds, 1))
  const seldom = seldomFaultKinds[(seed % seldomPeriod) - 2]
  if (seldom !== undefined) kinds.push(seldom)
  return kinds.map((kind) => planStackFault(random, kind, parts)).toSorted((a, b) => a.atMs - b.atMs)
}

function planStackFault(random: Random, kind: StackFaultKind, { workers, engines }: Parts): StackFault {
  const atMs = random.between(300, 5000)
  const worker = random.pick(workers)
  const client = random.pick(['api', worker, worker])
  const fault = (target: string, forMs: number): StackFault => ({ kind, atMs, target, forMs })
  switch (kind) {
    case 'kill api':
    case 'pause api':
      return fault('api', shortMs(random, kind))
    case 'kill worker':
      return fault(worker, shortMs(random, kind))
    case 'pause worker':
      // Half of the pauses outlast the time in which a process may still send what it has claimed.
      return fault(worker, random.happens(0.5) ? random.between(1000, 6000) : random.between(16_000, 24_000))
    case 'kill engine':
    case 'pause engine':
      return fault(random.pick(engines), shortMs(random, kind))
    case 'wipe engine':
      return fault(engines[0], random.between(200, 1500))
    case 'kill database':
    case 'pause database':
      return fault('postgres', shortMs(random, kind))
    case 'long pause':
      // Long enough for a workspace that holds posts which are a minute late.
      return { kind, atMs: random.between(300, 1500), target: workers.join(' '), forMs: random.between(66_000, 80_000) }
    case 'foreign row':
      return fault('postgres', random.between(10_000, 15_000))
    case 'crowded database':
      return fault('postgres', random.between(3000, 10_000))
    case 'backup':
      return { kind, atMs: 0, target: 'postgres', forMs: random.between(20_000, 28_000) }
    case 'disk full':
      return fault('tables', random.between(3000, 8000))
    case 'backlog':
      return { kind, atMs: 0, target: 'crowd', forMs: 0 }
    case 'tarpit':
      return { kind, atMs: 0, target: 'crowd', forMs: random.between(15_000, 25_000) }
    case 'set back engine':
      return { kind, atMs: random.between(0, 1500), target: engines[0], forMs: random.between(2000, 5000) }
    case 'rolling deploy':
      return fault([...workers, 'api'].join(' '), 0)
    case 'clock ahead':
    case 'clock behind':
      return { kind, atMs: random.between(0, 1000), target: workers.at(-1) ?? worker, forMs: random.between(8000, 12_000) }
    case 'webhooks hang':
    case 'webhooks fail':
      return { kind, atMs: random.between(0, 2000), target: 'receiver', forMs: random.between(5000, 9000) }
    case 'cut database':
    case 'half-open database':
    case 'partition database':
    case 'slow database':
      return fault(`${client}>database`, networkMs(random, kind))
    case 'cut engine':
    case 'half-open engine':
    case 'partition engine':
    case 'slow engine':
      return fault(random.pick([`${client}>engine`, 'engine>workers']), networkMs(random, kind))
  }
}

function shortMs(random: Random, kind: StackFaultKind): number {
  return kind.startsWith('kill') ? random.between(200, 2000) : random.between(1000, 8000)
}

function networkMs(random: Random, kind: StackFaultKind): number {
  if (kind.startsWith('cut')) return random.between(300, 4000)
  if (kind.startsWith('partition')) return random.between(2000, 14_000)
  if (kind.startsWith('slow')) return random.between(4000, 8000)
  return 0
}
