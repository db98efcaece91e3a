import { readdirSync, readFileSync } from 'node:fs'

/** Stops a process and its children with SIGSTOP. The returned function continues them. */
export function pauseProcess(pid: number): () => void {
  const stopped = new Set<number>()
  // A child that is started between the two rounds is found in the second.
  for (let round = 0; round < 2; round++) {
    for (const each of [pid, ...childrenOf(pid)]) {
      if (!stopped.has(each) && signal(each, 'SIGSTOP')) stopped.add(each)
    }
  }
  return () => {
    for (const each of stopped) signal(each, 'SIGCONT')
  }
}

function childrenOf(pid: number): number[] {
  const own = threadsOf(pid).flatMap((thread) => readNumbers(`/proc/${pid}/task/${thread}/children`))
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function readNumbers(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}
