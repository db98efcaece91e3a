import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../problem/problem.ts'
import type { TrialPrograms } from './trial-programs.ts'

type ServiceOptions = {
  name: string
  command: string
  args: readonly string[]
  logFile: string
  env?: Record<string, string>
  cwd?: string
  stopSignal: NodeJS.Signals
  stopMsMax: number
  /** Ends the wait and the program. */
  signal: AbortSignal
  isReady(): Promise<boolean>
}

export type Service = {
  name: string
  pid: number
  logFile: string
  /** Ends when the program ends. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** The person stopped the start. */
export class Interrupted extends Error {}

const readyMsMax = 120_000

/**
 * Starts a program and waits until it is ready. It has a process group of its own: Ctrl-C in a terminal goes to all processes of a group, and
 * the database must not stop before the service that uses it.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { name, command, args, logFile, env, cwd, stopSignal, stopMsMax, signal, isReady } = options
  const log = openSync(logFile, 'a', 0o600)
  const logStart = statSync(logFile).size
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], ...(env && { env }), ...(cwd && { cwd }) })
  closeSync(log)
  let isEnded = false
  const ended = new Promise<void>((done) => {
    for (const event of ['exit', 'error'] as const)
      child.once(event, () => {
        isEnded = true
        done()
      })
  })
  const stop = async () => {
    if (isEnded) return
    child.kill(stopSignal)
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await ended
    clearTimeout(timer)
  }
  const endMs = performance.now() + readyMsMax
  while (!(await isReady().catch(() => false))) {
    if (signal.aborted) {
      await stop()
      throw new Interrupted('The start was interrupted.')
    }
    if (isEnded || performance.now() > endMs) {
      await stop()
      const end = readFileSync(logFile).subarray(logStart).toString().trim().split('\n').slice(-5).join('\n')
      throw new StartError(`${name} did not start. The end of its log, ${logFile}:\n${end}`)
    }
    await sleep(100)
  }
  return { name, pid: child.pid ?? 0, logFile, ended, stop }
}

/** Whether the address answers with a status of success. */
export async function respondsOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}

type EnginePorts = { ingress: number; admin: number; node: number }
type Options = { dir: string; logFile: string; ports: EnginePorts; programs: TrialPrograms; signal: AbortSignal }

/** Starts one Restate server for this machine only. */
export async function startEngine({ dir, logFile, ports, programs, signal }: Options): Promise<Service> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return startService({
    name: 'Restate',
    command: programs.restate,
    args: [],
    logFile,
    cwd: dir,
    env: {
      RUST_LOG: 'warn',
      RESTATE_LOG_DISABLE_ANSI_CODES: 'true',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_NODE_NAME: 'carillon',
      RESTATE_BASE_DIR: join(dir, 'data'),
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_ADDRESS: `127.0.0.1:${ports.node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${ports.node}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
      RESTATE_DEFAULT_NUM_PARTITIONS: '8',
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256.0 MiB',
      RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: '16',
      // The server deletes this folder at every start, so nothing else may be in it.
      RESTATE_WORKER__INVOKER__TMP_DIR: join(dir, 'invoker'),
    },
    stopSignal: 'SIGTERM',
    stopMsMax: 30_000,
    signal,
    isReady: async () =>
      (await respondsOk(`http://127.0.0.1:${ports.admin}/health`)) &&
      (await respondsOk(`http://127.0.0.1:${ports.ingress}/restate/health`)),
  })
}
