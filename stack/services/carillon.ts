import { join } from 'node:path'
import { root } from './folders.ts'
import { startProgram, type Running } from './process.ts'
import { runCommand } from './run-command.ts'
import { respondsOk, isListening } from './wait-until.ts'

export type Role = 'all' | 'api' | 'worker'

/** The server's environment variables; server/src/config.ts lists them. */
export type CarillonEnv = Record<string, string>

export type CarillonOptions = {
  role: Role
  dir: string
  env: CarillonEnv
  port: number
  workerPort: number
  restateAdminUrl: string
}

export type Carillon = Running & { role: Role }

const program = join(root, 'server/src/main.ts')

/** Starts our own server in one of its roles and waits until it is ready for work. */
export async function startCarillon({ role, dir, env, port, workerPort, restateAdminUrl }: CarillonOptions): Promise<Carillon> {
  const isApi = role !== 'worker'
  const isWorker = role !== 'api'
  const running = await startProgram({
    name: `Carillon ${role}`,
    command: process.execPath,
    args: [program, 'serve', '--role', role],
    cwd: root,
    env,
    logFile: join(dir, `carillon-${role}.log`),
    isReady: async () => {
      if (isApi && !(await respondsOk(`http://127.0.0.1:${port}/health/ready`))) return false
      return !isWorker || ((await isListening(workerPort)) && (await isRegistered(restateAdminUrl, workerPort)))
    },
  })
  return Object.assign(running, { role })
}

/** Runs one command of the server's program to its end and returns the JSON it printed. */
export async function runCarillon(args: readonly string[], options: { env: CarillonEnv; input?: string }): Promise<unknown> {
  const printed = await runCommand(process.execPath, [program, ...args], { cwd: root, ...options })
  return printed.trim() === '' ? undefined : JSON.parse(printed)
}

/** A worker gets no work before its endpoint is registered with the engine, even if it already listens. */
async function isRegistered(restateAdminUrl: string, workerPort: number): Promise<boolean> {
  const response = await fetch(`${restateAdminUrl}/deployments`, { signal: AbortSignal.timeout(2000) })
  return (await response.text()).includes(`:${workerPort}`)
}
