import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { descendants, identityOf, isLive, type ProcessIdentity } from './live-process.ts'
import { WaitAborted, waitUntil } from './wait-until.ts'

export type Program = {
  name: string
  command: string
  args: readonly string[]
  logFile: string
  isReady: () => Promise<boolean> | boolean
  readyWithinMs?: number
  cwd?: string
  env?: Record<string, string>
  stopSignal?: NodeJS.Signals
  stopWithinMs?: number
}

/** A running program that can be stopped, killed and started again. */
export type Running = {
  name: string
  readonly pid: number
  readonly identity: ProcessIdentity
  logFile: string
  stopSignal: NodeJS.Signals
  stopWithinMs: number
  isAlive: () => boolean
  /** Sends the stop signal, and SIGKILL if the program does not end in time. */
  stop: () => Promise<void>
  /** Sends SIGKILL to the program and all its children, as in a crash. */
  kill: () => Promise<void>
  /** Starts it again with the same arguments, ports and data. If it still runs, it is stopped first. */
  restart: () => Promise<void>
}

/** What is needed to stop a process. It is saved in a file too, so that another process can stop it. */
export type StoppableProcess = Pick<Running, 'name' | 'pid' | 'identity' | 'stopSignal' | 'stopWithinMs' | 'stop'>

/** Starts a program in a process group of its own and waits until it is ready. It keeps running when this process ends. */
export async function startProgram(program: Program): Promise<Running> {
  let identity = await launch(program)
  return {
    name: program.name,
    get pid() {
      return identity.pid
    },
    get identity() {
      return identity
    },
    logFile: program.logFile,
    stopSignal: program.stopSignal ?? 'SIGTERM',
    stopWithinMs: program.stopWithinMs ?? defaultStopMs,
    isAlive: () => isLive(identity),
    stop: () => stopProcess(identity, program),
    kill: () => killProcess(identity),
    async restart() {
      await stopProcess(identity, program)
      identity = await launch(program)
    },
  }
}

const defaultStopMs = 15_000

type StopOptions = Pick<Program, 'stopSignal' | 'stopWithinMs'>

export async function stopProcess(
  identity: ProcessIdentity,
  { stopSignal = 'SIGTERM', stopWithinMs = defaultStopMs }: StopOptions = {},
): Promise<void> {
  if (!isLive(identity)) return
  signal(identity.pid, stopSignal)
  try {
    await waitUntil(() => !isLive(identity), { what: `process ${identity.pid} to end`, withinMs: stopWithinMs })
  } catch {
    await killProcess(identity)
  }
}

export async function killProcess(identity: ProcessIdentity): Promise<void> {
  if (!isLive(identity)) return
  const all = [identity, ...descendants(identity.pid)]
  for (const each of all) if (isLive(each)) signal(each.pid, 'SIGKILL')
  await waitUntil(() => !all.some(isLive), { what: `process ${identity.pid} to die`, withinMs: 10_000, everyMs: 5 })
}

async function launch(program: Program): Promise<ProcessIdentity> {
  const { name, command, args, logFile, cwd, env, isReady, readyWithinMs = 60_000 } = program
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a')
  const logStart = statSync(logFile).size
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const pid = await new Promise<number>((done, fail) => {
    child.once('error', fail)
    child.once('spawn', () => done(child.pid ?? 0))
  })
  child.unref()
  const identity = identityOf(pid)
  const tail = () => readFileSync(logFile).subarray(logStart).toString().slice(-2000)
  try {
    await waitUntil(
      () => {
        if (!isLive(identity)) throw new WaitAborted(`${name} ended while starting\n${tail()}`)
        return isReady()
      },
      { what: `${name} to be ready (log: ${logFile})`, withinMs: readyWithinMs },
    )
  } catch (error) {
    await killProcess(identity)
    throw error
  }
  return identity
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process ended by itself before the signal was sent.
  }
}
