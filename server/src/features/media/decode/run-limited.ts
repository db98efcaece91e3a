import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'

export type Limits = {
  timeoutMs: number
  /** The limit on the program's data memory. It needs `prlimit`, which every Linux has; elsewhere there is no limit. */
  dataBytes?: number
}

export type ProcessResult = { ok: true; output: string } | { ok: false; reason: 'timeout' | 'failed' | 'missing'; detail: string }

const outputMax = 1_000_000

/**
 * Runs a program that reads an untrusted file: without our environment variables, with limits on time and memory, and ended with SIGKILL.
 * A failure is returned, not thrown, because it is an expected result.
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
    let isTimedOut = false
    const kill = () => {
      // Kill the whole process group, including processes that the program has started.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(() => {
      isTimedOut = true
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
      if (isTimedOut) return resolve({ ok: false, reason: 'timeout', detail: `not done after ${timeoutMs} ms` })
      // prlimit exits with 127 if the program does not exist.
      if (code === 127) return resolve({ ok: false, reason: 'missing', detail: errors })
      resolve(code === 0 ? { ok: true, output } : { ok: false, reason: 'failed', detail: `${signal ?? code}: ${errors}` })
    })
  })
}

/** None of our variables, which hold keys and URLs. One arena and one thread limit the memory of native libraries. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    MALLOC_ARENA_MAX: '1',
    VIPS_CONCURRENCY: '1',
    UV_THREADPOOL_SIZE: '2',
    LANG: 'C.UTF-8',
  }
}
