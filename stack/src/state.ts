import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../services/folders.ts'
import { isLive, type ProcessIdentity } from '../services/live-process.ts'
import { stopProcess, type StoppableProcess } from '../services/process.ts'
import type { StackInfo } from './stack-info.ts'

/** What is saved in a file, so that another process can stop the stack. Processes are in the order they started. */
export type StackState = { info: StackInfo | null; processes: SavedProcess[] }

type SavedProcess = ProcessIdentity & { name: string; stopSignal: NodeJS.Signals; stopWithinMs: number }

const stacksDir = join(root, '.stack')
const fileName = 'stack.json'

export function stackDir(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`a stack's name consists of letters, digits, - and _, unlike "${name}"`)
  return join(stacksDir, name)
}

export async function readState(dir: string): Promise<StackState | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, fileName), 'utf8'))
  } catch {
    return undefined
  }
}

export async function writeState(dir: string, info: StackInfo | null, running: readonly StoppableProcess[]): Promise<void> {
  const processes = running.map(({ name, identity, stopSignal, stopWithinMs }) => ({
    name,
    ...identity,
    stopSignal,
    stopWithinMs,
  }))
  const state: StackState = { info, processes }
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, fileName), `${JSON.stringify(state, null, 2)}\n`)
}

export async function removeState(dir: string): Promise<void> {
  await rm(join(dir, fileName), { force: true })
}

export function isUp(state: StackState | undefined): state is StackState & { info: StackInfo } {
  return state?.info !== undefined && state.info !== null && state.processes.every(isLive)
}

/** Stops the processes in a stack's state file, the last started first: a server is stopped before its database. */
export async function stopProcesses(dir: string): Promise<void> {
  const state = await readState(dir)
  for (const saved of state?.processes.toReversed() ?? []) await stopProcess(saved, saved)
  await removeState(dir)
}

export async function stackNames(): Promise<string[]> {
  return readdir(stacksDir).catch(() => [])
}
