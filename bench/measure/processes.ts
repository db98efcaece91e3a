import { readdirSync, readFileSync } from 'node:fs'

/** Processor time in milliseconds, by name. `all` is the whole machine, which shows how much other work there was. */
export type Cpu = Record<string, number>

const ticksPerSecond = 100
const msPerTick = 1000 / ticksPerSecond

/** Reads how much processor time each named process and its children have used so far. */
export function readCpu(pids: Record<string, number>): Cpu {
  const stats = readStats()
  const cpu: Cpu = { all: machineMs() }
  for (const [name, pid] of Object.entries(pids)) cpu[name] = usedMs(stats, pid)
  // This process started everything that is measured, so only its own time is counted here, without its children.
  const usage = process.cpuUsage()
  cpu['bench'] = (usage.user + usage.system) / 1000
  return cpu
}

export function cpuBetween(before: Cpu, after: Cpu): Cpu {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, Math.round(ms - (before[name] ?? 0))]))
}

export function rssBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib ?? 0) * 1024
}

type Stat = { pid: number; parent: number; ms: number }

function readStats(): Stat[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      // This includes children that have ended, because otherwise the sum would fall when a PostgreSQL backend ends.
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
      return [{ pid: Number(name), parent: Number(fields[1]), ms: ticks * msPerTick }]
    } catch {
      return []
    }
  })
}

function usedMs(stats: readonly Stat[], pid: number): number {
  const own = stats.find((stat) => stat.pid === pid)?.ms ?? 0
  return stats.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + usedMs(stats, child.pid), own)
}

function machineMs(): number {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = first.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq) * msPerTick
}
