import { readFileSync, readdirSync } from 'node:fs'

/** A process by number and by when it began: numbers are used again, the pair is not. */
export type ProcessMark = { pid: number; startTicks: number }

type Stat = { pid: number; parent: number; state: string; threads: number; startTicks: number }

export function markOf(pid: number): ProcessMark {
  return { pid, startTicks: readStat(pid)?.startTicks ?? 0 }
}

/** Is it still the same process, and not a zombie waiting for its parent? */
export function isLive({ pid, startTicks }: ProcessMark): boolean {
  const stat = readStat(pid)
  // While a killed program's other threads still end, its first one is a zombie already, and its ports are still taken.
  return stat !== undefined && stat.startTicks === startTicks && (stat.state !== 'Z' || stat.threads > 1)
}

/** Its children and theirs: PostgreSQL's have groups of their own, so a signal to the group does not reach them. */
export function descendants(pid: number): ProcessMark[] {
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

/** Memory in use by the process and everything below it; a page shared by several counts in parts, so that sums are true. */
export function memoryBytes(pid: number): number {
  const pids = [pid, ...descendants(pid).map((mark) => mark.pid)]
  return pids.reduce((sum, each) => sum + shareBytes(each), 0)
}

function shareBytes(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(readProc(pid, 'smaps_rollup') ?? '')?.[1]
  return Number(kib ?? 0) * 1024
}

function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat')
  if (text === undefined) return undefined
  // The name stands in brackets and may itself hold spaces and brackets: everything after the last one is plain.
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
