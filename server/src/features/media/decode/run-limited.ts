import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'

export type Limits = {
  timeoutMs: number
  /** Memory the program may ask for beyond what it starts with; only where `prlimit` exists, which is every Linux. */
  dataBytes?: number
}

export type ProcessResult = { ok: true; output: string } | { ok: false; reason: 'timeout' | 'failed' | 'missing'; detail: string }

const outputMax = 1_000_000

/**
 * Runs a program that reads a stranger's file: without our environment, with an end to its time and memory, killed rather than asked.
 * Its failure is an answer, not an error.
 */
export async function runLimited(command: string, args: readonly string[], limits: Limits): Promise<ProcessResult> {
  const wrapped = limits.dataBytes
    ? ['prlimit', `--data=${limits.dataBytes}`, '--core=0', '--', command, ...args]
    : [command, ...args]
  const [program = command, ...rest] = wrapped
  const done = await run(program, rest, limits.timeoutMs)
  const hasNoLimiter = !done.ok && done.reason === 'missing' && program === 'prlimit'
  return hasNoLimiter ? run(command, args, limits.timeoutMs) : done
}

function run(program: string, args: readonly string[], timeoutMs: number): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: environment(), cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let output = ''
    let errors = ''
    let isLate = false
    const kill = () => {
      // The whole group: what the program started must not outlive it.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(() => {
      isLate = true
      kill()
    }, timeoutMs)
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.length > outputMax) kill()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-2000)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      resolve({ ok: false, reason: error.code === 'ENOENT' ? 'missing' : 'failed', detail: error.message })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (isLate) return resolve({ ok: false, reason: 'timeout', detail: `not done after ${timeoutMs} ms` })
      // prlimit's own way of saying that the program is not there.
      if (code === 127) return resolve({ ok: false, reason: 'missing', detail: errors })
      resolve(code === 0 ? { ok: true, output } : { ok: false, reason: 'failed', detail: `${signal ?? code}: ${errors}` })
    })
  })
}

/** Nothing of ours: no key, no address. One arena and one thread keep what native libraries take in proportion. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    MALLOC_ARENA_MAX: '1',
    VIPS_CONCURRENCY: '1',
    UV_THREADPOOL_SIZE: '2',
    LANG: 'C.UTF-8',
  }
}
