import { join } from 'node:path'
import { root } from './folders.ts'
import { freePort } from './free-ports.ts'
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
  /** For several processes of one role: tells their logs apart. */
  name?: string
  /** The file to start instead of the source of the server: that of a built package. */
  program?: string | undefined
  /** How long it may take to get ready, if more than usual. */
  readyWithinMs?: number
}

/** `healthUrl` is the private address of the health checks, in every role. */
export type Carillon = Running & { role: Role; healthUrl: string }

const source = join(root, 'server/src/main.ts')

/** A server finishes running sends before it ends, for at most 35 s. */
const stopWithinMs = 50_000

/** Long enough for a machine with much other work. A server that ends while it starts is reported at once. */
const readyWithinMsMax = 180_000

/** Starts our own server in one of its roles and waits until it is ready for work. */
export async function startCarillon(options: CarillonOptions): Promise<Carillon> {
  const {
    role,
    name = role,
    dir,
    env,
    port,
    workerPort,
    restateAdminUrl,
    program = source,
    readyWithinMs = readyWithinMsMax,
  } = options
  const isApi = role !== 'worker'
  const isWorker = role !== 'api'
  const healthPort = env['CARILLON_HEALTH_PORT'] ?? String(await freePort())
  const healthUrl = `http://127.0.0.1:${healthPort}/health`
  // With several workers, the engine knows the address of the balancer in front of them.
  const workerUrl = env['CARILLON_WORKER_URL'] ?? `http://127.0.0.1:${workerPort}`
  const running = await startProgram({
    name: `Carillon ${name}`,
    command: process.execPath,
    args: [program, 'serve', '--role', role],
    cwd: root,
    env: { ...env, CARILLON_HEALTH_PORT: healthPort },
    logFile: join(dir, `carillon-${name}.log`),
    stopWithinMs,
    readyWithinMs,
    isReady: async () => {
      if (isApi && !(await respondsOk(`http://127.0.0.1:${port}/health/ready`))) return false
      if (!(await respondsOk(`${healthUrl}/accepting`))) return false
      return !isWorker || ((await isListening(workerPort)) && (await isRegistered(restateAdminUrl, workerUrl)))
    },
  })
  return Object.assign(running, { role, healthUrl })
}

/** Runs one command of the server's program to its end and returns the JSON it printed. */
export async function runCarillon(
  args: readonly string[],
  { program = source, ...options }: { env: CarillonEnv; input?: string; program?: string | undefined },
): Promise<unknown> {
  const printed = await runCommand(process.execPath, [program, ...args], { cwd: root, ...options })
  return printed.trim() === '' ? undefined : JSON.parse(printed)
}

/** A worker gets no work before its address is registered with the engine, even if it already listens. */
async function isRegistered(restateAdminUrl: string, workerUrl: string): Promise<boolean> {
  const response = await fetch(`${restateAdminUrl}/deployments`, { signal: AbortSignal.timeout(2000) })
  return (await response.text()).includes(`:${new URL(workerUrl).port}`)
}
