import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../problem/start-error.ts'

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
