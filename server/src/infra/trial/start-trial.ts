import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { platforms } from '@carillon/contract'
import { findUpwards } from '../assets/find-upwards.ts'
import { choosePorts } from './choose-ports.ts'
import { respondsOk } from './responds-ok.ts'
import { startEngine } from './start-engine.ts'
import { startPostgres } from './start-postgres.ts'
import { startService, type Service } from './start-service.ts'
import { findTrialPrograms } from './trial-programs.ts'
import { openTrialState, refuseRunningTrial, saveRunning } from './trial-state.ts'

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
