import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { Launch } from './sandbox.ts'
import { programPath } from './system-paths.ts'

export type ProcessResult = { ok: true; output: string } | { ok: false; reason: 'timeout' | 'failed' | 'missing'; detail: string }

const outputMax = 1_000_000
/** How a shell and bubblewrap report that a program has used up the time that it may compute: 128 and the number of SIGXCPU. */
const cpuTimeUsedUp = 152

/** Runs a program without our environment variables, and ends it with SIGKILL if it takes too long. A failure is returned, not thrown. */
export function runProcess(
  { argv, fd3 }: Launch,
  { cwd, timeoutMs }: { cwd: string; timeoutMs: number },
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const [program = '', ...args] = argv
    const child = spawn(program, args, {
      env: environment(cwd),
      cwd,
      stdio: ['ignore', 'pipe', 'pipe', fd3 ? 'pipe' : 'ignore'],
      detached: true,
    })
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
    if (fd3) {
      const pipe = child.stdio[3] as Writable
      // A program that ends at once closes the pipe; its exit code tells more than this error.
      pipe.on('error', () => {})
      pipe.end(fd3)
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.length > outputMax) kill()
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-2000)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      resolve({ ok: false, reason: error.code === 'ENOENT' ? 'missing' : 'failed', detail: error.message })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (isTimedOut) return resolve({ ok: false, reason: 'timeout', detail: `not done after ${timeoutMs} ms` })
      if (signal === 'SIGXCPU' || code === cpuTimeUsedUp)
        return resolve({ ok: false, reason: 'timeout', detail: 'it computed too long' })
      resolve(code === 0 ? { ok: true, output } : { ok: false, reason: 'failed', detail: `${signal ?? code}: ${errors}` })
    })
  })
}

/** None of our variables, which hold keys and URLs. One arena and one thread limit the memory of native libraries. */
function environment(dir: string): NodeJS.ProcessEnv {
  return {
    PATH: programPath,
    TMPDIR: dir,
    MALLOC_ARENA_MAX: '1',
    VIPS_CONCURRENCY: '1',
    UV_THREADPOOL_SIZE: '2',
    LANG: 'C.UTF-8',
    // Node does not start if it may not read the configuration of OpenSSL.
    OPENSSL_CONF: '/dev/null',
  }
}
