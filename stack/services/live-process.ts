import { readFileSync, readdirSync } from 'node:fs'

/** A process by its number and its start time: the system reuses numbers, but not the pair. */
export type ProcessIdentity = { pid: number; startTicks: number }

type Stat = { pid: number; parent: number; state: string; threads: number; startTicks: number }

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startTicks: readStat(pid)?.startTicks ?? 0 }
}

/** Whether the same process still runs and is not a zombie. */
export function isLive({ pid, startTicks }: ProcessIdentity): boolean {
  const stat = readStat(pid)
  // While other threads of a killed program still end, its first thread is already a zombie and its ports are still in use.
  return stat !== undefined && stat.startTicks === startTicks && (stat.state !== 'Z' || stat.threads > 1)
}

/** All child processes, at any depth. PostgreSQL's have process groups of their own, so a signal to the group does not reach them. */
export function descendants(pid: number): ProcessIdentity[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []))
  const found: Stat[] = []
  const queue = [pid]
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    for (const stat of all) {
      if (stat.parent !== parent) continue
      found.push(stat)
      queue.push(stat.pid)
    }
  }
  return found.map(({ pid: childPid, startTicks }) => ({ pid: childPid, startTicks }))
}

/** Memory of a process and its children. A page shared by several processes counts in proportion, so that the values can be added. */
export function memoryBytes(pid: number): number {
  const pids = [pid, ...descendants(pid).map((identity) => identity.pid)]
  return pids.reduce((sum, each) => sum + shareBytes(each), 0)
}

function shareBytes(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(readProc(pid, 'smaps_rollup') ?? '')?.[1]
  return Number(kib ?? 0) * 1024
}

function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat')
  if (text === undefined) return undefined
  // The program's name is in brackets and may contain spaces and brackets: split only what follows the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { pid, state: fields[0] ?? 'Z', parent: Number(fields[1]), threads: Number(fields[17]), startTicks: Number(fields[19]) }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
