import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { descendants, isLive, markOf, type ProcessMark } from './live-process.ts'
import { Hopeless, waitUntil } from './wait-until.ts'

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

/** A program that runs, and that can be ended gently, ended by force, and started again as it was. */
export type Running = {
  name: string
  readonly pid: number
  readonly mark: ProcessMark
  logFile: string
  stopSignal: NodeJS.Signals
  isAlive: () => boolean
  /** Asks it to end, and ends it by force when it does not listen. */
  stop: () => Promise<void>
  /** SIGKILL to it and everything below it, as a crash would. */
  kill: () => Promise<void>
  /** Starts it again with the same arguments, ports and data; one that still runs is stopped first. */
  restart: () => Promise<void>
}

/** What must be known of a process to end it, be it by who started it or by somebody who read it up. */
export type Endable = Pick<Running, 'name' | 'pid' | 'mark' | 'stopSignal' | 'stop'>

/** Starts a program in a process group of its own and waits until it is ready. It outlives this process. */
export async function startProgram(program: Program): Promise<Running> {
  let mark = await launch(program)
  return {
    name: program.name,
    get pid() {
      return mark.pid
    },
    get mark() {
      return mark
    },
    logFile: program.logFile,
    stopSignal: program.stopSignal ?? 'SIGTERM',
    isAlive: () => isLive(mark),
    stop: () => stopProcess(mark, program),
    kill: () => killProcess(mark),
    async restart() {
      await stopProcess(mark, program)
      mark = await launch(program)
    },
  }
}

type Ending = Pick<Program, 'stopSignal' | 'stopWithinMs'>

export async function stopProcess(
  mark: ProcessMark,
  { stopSignal = 'SIGTERM', stopWithinMs = 15_000 }: Ending = {},
): Promise<void> {
  if (!isLive(mark)) return
  signal(mark.pid, stopSignal)
  try {
    await waitUntil(() => !isLive(mark), { what: `process ${mark.pid} to end`, withinMs: stopWithinMs })
  } catch {
    await killProcess(mark)
  }
}

export async function killProcess(mark: ProcessMark): Promise<void> {
  if (!isLive(mark)) return
  const all = [mark, ...descendants(mark.pid)]
  for (const each of all) if (isLive(each)) signal(each.pid, 'SIGKILL')
  await waitUntil(() => !all.some(isLive), { what: `process ${mark.pid} to die`, withinMs: 10_000, everyMs: 5 })
}

async function launch(program: Program): Promise<ProcessMark> {
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
  const mark = markOf(pid)
  const tail = () => readFileSync(logFile).subarray(logStart).toString().slice(-2000)
  try {
    await waitUntil(
      () => {
        if (!isLive(mark)) throw new Hopeless(`${name} ended while starting\n${tail()}`)
        return isReady()
      },
      { what: `${name} to be ready (log: ${logFile})`, withinMs: readyWithinMs },
    )
  } catch (error) {
    await killProcess(mark)
    throw error
  }
  return mark
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself between the look and the signal.
  }
}
