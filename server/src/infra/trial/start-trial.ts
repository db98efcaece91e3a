import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { platforms } from '@carillon/contract'
import { findUpwards } from '../assets/find-upwards.ts'
import { StartError } from '../problem/problem.ts'
import { type Service, respondsOk, startEngine, startService } from './start-service.ts'
import { startPostgres } from './start-postgres.ts'
import { findTrialPrograms } from './trial-programs.ts'

type Options = {
  dir: string
  port: number
  /** The file of this program, which is started again as the service. */
  program: string
  isSimulated: boolean
  /** The environment of the service, besides its settings. */
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  report(line: string): void
}

export type Trial = {
  url: string
  simulatorUrl: string | null
  hasWebApp: boolean
  /** Ends when one of the programs ends by itself; it is the one that ended. */
  ended: Promise<Service>
  stop(): Promise<void>
}

/** What must stay the same from one start of a trial to the next. */
type TrialState = { secretKeys: string; databasePassword: string }

const stateFile = 'secrets.json'
const runningFile = 'running.json'

type Process = { name: string; pid: number }

/** Starts PostgreSQL, the engine, the simulated platforms and the service, with all data in one folder. */
export async function startTrial(options: Options): Promise<Trial> {
  const { dir, signal, report } = options
  const programs = await findTrialPrograms()
  await refuseRunningTrial(dir)
  const state = await openTrialState(dir)
  const logs = join(dir, 'logs')
  await mkdir(logs, { recursive: true })
  const [database = 0, ingress = 0, admin = 0, node = 0, worker = 0, health = 0, simulator = 0] = await choosePorts(7)
  const running: Service[] = []
  const start = async <T extends Service>(starting: Promise<T>): Promise<T> => {
    const service = await starting
    running.push(service)
    await saveRunning(dir, running)
    report(service.name)
    return service
  }
  const stop = async () => {
    // In reverse: the service finishes what it is doing while the database still answers.
    for (const service of running.toReversed()) await service.stop()
    await saveRunning(dir, [])
  }
  try {
    const simulatorFile = options.isSimulated ? findSimulator() : null
    const begun = [
      start(
        startPostgres({
          dir: join(dir, 'postgres'),
          logFile: join(logs, 'postgres.log'),
          port: database,
          password: state.databasePassword,
          programs,
          signal,
        }),
      ),
      start(
        startEngine({
          dir: join(dir, 'restate'),
          logFile: join(logs, 'restate.log'),
          ports: { ingress, admin, node },
          programs,
          signal,
        }),
      ),
      ...(simulatorFile === null ? [] : [start(startSimulator({ file: simulatorFile, port: simulator, dir, logs, signal }))]),
    ] as const
    // All must have ended before a failure is thrown, or the clean-up would miss a program that is still starting.
    await Promise.allSettled(begun)
    const [postgres] = await Promise.all(begun)
    const url = `http://localhost:${options.port}`
    const simulatorUrl = simulatorFile === null ? null : `http://127.0.0.1:${simulator}`
    const webDir = findWebApp()
    const settings: Record<string, string> = {
      DATABASE_URL: postgres.url,
      CARILLON_SECRET_KEYS: state.secretKeys,
      RESTATE_INGRESS_URL: `http://127.0.0.1:${ingress}`,
      RESTATE_ADMIN_URL: `http://127.0.0.1:${admin}`,
      CARILLON_PORT: String(options.port),
      CARILLON_PUBLIC_URL: url,
      CARILLON_WORKER_PORT: String(worker),
      CARILLON_HEALTH_PORT: String(health),
      CARILLON_MEDIA_DIR: join(dir, 'media'),
      ...(webDir !== null && { CARILLON_WEB_DIR: webDir }),
      ...(simulatorUrl !== null && simulatedPlatforms(simulatorUrl)),
    }
    await start(startCarillon({ ...options, settings, logFile: join(logs, 'carillon.log'), healthPort: health }))
    const ended = Promise.race(running.map((service) => service.ended.then(() => service)))
    return { url, simulatorUrl, hasWebApp: webDir !== null, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type CarillonOptions = Pick<Options, 'program' | 'env' | 'signal'> & {
  settings: Record<string, string>
  logFile: string
  healthPort: number
}

/** Settings of the environment, such as a mail server or a developer app, also apply to a trial; its own come first. */
function startCarillon({ program, env, signal, settings, logFile, healthPort }: CarillonOptions): Promise<Service> {
  const inherited = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return startService({
    name: 'Carillon',
    command: process.execPath,
    args: [program, 'serve'],
    env: { ...Object.fromEntries(inherited), ...settings },
    logFile,
    stopSignal: 'SIGTERM',
    // The service finishes running sends first, for at most 45 s.
    stopMsMax: 50_000,
    signal,
    isReady: () => respondsOk(`http://127.0.0.1:${healthPort}/health/ready`),
  })
}

type SimulatorOptions = { file: string; port: number; dir: string; logs: string; signal: AbortSignal }

function startSimulator({ file, port, dir, logs, signal }: SimulatorOptions): Promise<Service> {
  return startService({
    name: 'Simulator',
    command: process.execPath,
    args: [file, '--port', String(port), '--data', join(dir, 'simulator')],
    logFile: join(logs, 'simulator.log'),
    stopSignal: 'SIGTERM',
    stopMsMax: 10_000,
    signal,
    isReady: () => fetch(`http://127.0.0.1:${port}`, { redirect: 'manual' }).then(() => true),
  })
}

function simulatedPlatforms(simulatorUrl: string): Record<string, string> {
  const origins = Object.fromEntries(platforms.map((platform) => [platform, `${simulatorUrl}/${platform}`]))
  return { CARILLON_PLATFORM_ORIGINS: JSON.stringify(origins), CARILLON_EGRESS_ALLOW: '127.0.0.0/8' }
}

/** Beside the bundle, or in the source tree. */
function findSimulator(): string | null {
  return findUpwards(['simulator.js', 'simulator/src/main.ts'])
}

function findWebApp(): string | null {
  const assets = findUpwards(['web/dist/assets', 'web/assets'])
  return assets === null ? null : dirname(assets)
}

/** Finds ports of this machine that are free now. All are held open until the last one is found, so no number is returned twice. */
async function choosePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}

function listen(): Promise<Server> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => done(server))
  })
}

/** Only the owner may read the file: the key in it opens every secret in the database. */
async function openTrialState(dir: string): Promise<TrialState> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, stateFile)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text !== null) return JSON.parse(text)
  const state = {
    secretKeys: `k1:${randomBytes(32).toString('base64')}`,
    databasePassword: randomBytes(24).toString('base64url'),
  }
  await writeFile(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return state
}

/** Throws while programs of an earlier start still use the folder. */
async function refuseRunningTrial(dir: string): Promise<void> {
  const text = await readFile(join(dir, runningFile), 'utf8').catch(() => '[]')
  const alive = (JSON.parse(text) as Process[]).filter(({ pid }) => isAlive(pid))
  if (alive.length === 0) return
  const list = alive.map(({ name, pid }) => `${name} (process ${pid})`).join(', ')
  throw new StartError(
    `A trial with the data in ${dir} still runs: ${list}. Stop it with Ctrl-C in its terminal, or with: kill ` +
      `${alive.map(({ pid }) => pid).join(' ')}. Or use another folder with --data.`,
  )
}

async function saveRunning(dir: string, processes: readonly Process[]): Promise<void> {
  const path = join(dir, runningFile)
  if (processes.length === 0) return rm(path, { force: true })
  await writeFile(path, JSON.stringify(processes.map(({ name, pid }) => ({ name, pid }))))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
