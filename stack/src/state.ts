import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../services/folders.ts'
import { isLive, type ProcessMark } from '../services/live-process.ts'
import { stopProcess, type Endable } from '../services/process.ts'
import type { Cast } from './cast.ts'
import type { MailServer, S3Store } from './real-parts.ts'

/** What a stack tells about itself: everything a client, a checker or a person needs to use it. */
export type StackInfo = Cast & {
  baseUrl: string
  apiKey: string
  workspaceId: string
  simulatorUrl: string
  otherApiKey: string
  otherWorkspaceId: string
  webhookHost: string
  webhookTlsCert: string
  webhookTlsKey: string
  databaseUrl: string
  restateIngressUrl: string
  restateAdminUrl: string
  /** Where media are, when they are not in a folder. */
  s3: S3Store | null
  /** Where mail goes and can be read, when it does not go to the log. */
  mail: MailServer | null
  /** Where data and logs are. */
  dir: string
  pids: Record<string, number>
}

/** What is written down, so that another process can end the stack. Parts in the order they started. */
export type StackState = { info: StackInfo | null; parts: StackPart[] }

export type StackPart = ProcessMark & { name: string; stopSignal: NodeJS.Signals }

export const stacksDir = join(root, '.stack')

export function stackDir(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`a stack's name is made of letters, digits, - and _, not "${name}"`)
  return join(stacksDir, name)
}

export async function readState(dir: string): Promise<StackState | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, 'stack.json'), 'utf8'))
  } catch {
    return undefined
  }
}

export async function writeState(dir: string, info: StackInfo | null, parts: readonly Endable[]): Promise<void> {
  const state: StackState = { info, parts: parts.map(({ name, mark, stopSignal }) => ({ name, ...mark, stopSignal })) }
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, 'stack.json'), `${JSON.stringify(state, null, 2)}\n`)
}

export function isUp(state: StackState | undefined): state is StackState & { info: StackInfo } {
  return state?.info !== undefined && state.info !== null && state.parts.every(isLive)
}

/** Ends what a stack's state names, last started first: a server goes before its database. */
export async function stopParts(dir: string): Promise<void> {
  const state = await readState(dir)
  for (const part of state?.parts.toReversed() ?? []) await stopProcess(part, part)
  await rm(join(dir, 'stack.json'), { force: true })
}

export async function stackNames(): Promise<string[]> {
  return readdir(stacksDir).catch(() => [])
}
