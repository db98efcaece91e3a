import { readdirSync, readFileSync } from 'node:fs'

const everyMs = 20

/** Pauses every process that a process starts, at any depth, until `stop` lets all of them go on. */
export function pauseDescendants(pid: number): { stop(): void } {
  const paused = new Set<number>()
  const timer = setInterval(() => {
    for (const each of descendantsOf(pid)) {
      paused.add(each)
      send(each, 'SIGSTOP')
    }
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      for (const each of paused) send(each, 'SIGCONT')
    },
  }
}

function descendantsOf(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It ended in this moment.
    }
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
  return below(root)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in this moment.
  }
}
