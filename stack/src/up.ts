import { rm } from 'node:fs/promises'
import { runCarillon, startCarillon, type Carillon, type CarillonEnv, type Role } from '../services/carillon.ts'
import { makeCertificate } from '../services/certificate.ts'
import { freePort } from '../services/free-ports.ts'
import { startModel } from '../services/model.ts'
import { startPgBouncer, type PgBouncer } from '../services/pgbouncer.ts'
import { startPostgres, type Postgres, type PostgresOptions } from '../services/postgres.ts'
import type { StoppableProcess } from '../services/process.ts'
import { startRestate, type Restate } from '../services/restate.ts'
import { startSimulator, type Simulator } from '../services/simulator.ts'
import { choosePorts, type StackPorts } from './choose-ports.ts'
import { createDemoConnections } from './demo-connections.ts'
import { startRealServices, type RealServiceOptions } from './real-services.ts'
import { readSavedSettings, writeSavedSettings, type SavedSettings } from './saved-settings.ts'
import { serverEnv } from './server-env.ts'
import { createServiceGroup, type Report, type ServiceGroup } from './service-group.ts'
import { openAccount } from './simulated-accounts.ts'
import type { DemoConnections, StackInfo } from './stack-info.ts'
import { stackDir, stopProcesses, writeState } from './state.ts'
import { startWorkerPool } from './worker-pool.ts'
import { connectAccounts, setUpTenant, type ConnectedAccount, type RunCommand, type Tenant } from './tenants.ts'

type StackOptions = RealServiceOptions & {
  /** Data are in `.stack/<name>`, unless `dir` is given. */
  name?: string
  dir?: string
  /** One process for everything, or each role as a process of its own. */
  roles?: readonly Role[]
  /** Starts this many workers behind a balancer, beside an API, instead of the roles. */
  workers?: number
  fsync?: boolean
  /** Another PostgreSQL than the usual one, or other settings for it. */
  postgres?: Pick<PostgresOptions, 'binaries' | 'settings'>
  /** Starts PgBouncer in front of PostgreSQL, with at most this many connections to PostgreSQL for each login. */
  poolerConnections?: number
  /** Opens the data of an earlier run instead of starting empty. */
  keepsData?: boolean
  /** Preferred ports: one that is in use is replaced by a free one. */
  ports?: Partial<StackPorts>
  /** Settings for the server, in addition to those of the stack or instead of them. */
  env?: CarillonEnv
  /** The file to start instead of the source of the server: that of a built package. */
  program?: string
  /** The platforms of the accounts, where `program` is a release that does not know all. */
  platforms?: readonly string[]
  report?: Report
}

/** A running stack. Each service in it can be killed and started again. */
export type Stack = {
  info: StackInfo
  postgres: Postgres
  pooler: PgBouncer | null
  restate: Restate
  simulator: Simulator
  servers: Partial<Record<Role, Carillon>>
  /** The settings of the servers, for further processes of this stack. */
  env: CarillonEnv
  /** The workers behind the balancer, if the stack has several. */
  workers: readonly Carillon[]
  /** Runs a command of the server's program with this stack's settings. */
  run: RunCommand
  /** Opens an account on the simulator and connects it to the stack's workspace. */
  connect(platform: string, handle: string): Promise<ConnectedAccount>
  /** Saves the process numbers again. Call it after a restart if the stack must be stoppable by another process. */
  save(): Promise<void>
  stop(): Promise<void>
}

/** Starts everything on free ports: database, engine, simulator and server, with two tenants and connected accounts. */
export async function upStack(options: StackOptions = {}): Promise<Stack> {
  const dir = options.dir ?? stackDir(options.name ?? 'default')
  // Processes left by an earlier run would still use the ports and the data.
  await stopProcesses(dir)
  if (options.keepsData !== true) await rm(dir, { recursive: true, force: true })
  const services = createServiceGroup(dir, options.report)
  try {
    return await startStack(dir, options, services)
  } catch (error) {
    await services.stop()
    throw error
  }
}

async function startStack(dir: string, options: StackOptions, services: ServiceGroup): Promise<Stack> {
  const { roles = ['all'], program } = options
  const settings = await readSavedSettings(dir)
  const ports = await choosePorts({ ...settings.ports, ...options.ports })
  const base = await startBaseServices({ dir, options, services, ports })
  const { postgres, restate, simulator, certificate, realServices } = base
  const pooler = await startPooler({ dir, options, services, postgres })
  const env = {
    ...serverEnv({ ...base, dir, ports, secretKeys: settings.secretKeys }),
    ...(pooler && { CARILLON_DATABASE_POOLER_URL: pooler.url }),
    ...options.env,
  }
  const run: RunCommand = (args, input) => runCarillon(args, { env, program, ...(input !== undefined && { input }) })
  await services.step('Migrations', () => run(['migrate', '--json']))

  const startRole = (role: Role) =>
    services.start(`Carillon ${role}`, () =>
      startCarillon({
        role,
        dir: `${dir}/logs`,
        env,
        port: ports.api,
        workerPort: ports.worker,
        restateAdminUrl: restate.adminUrl,
        program,
      }),
    )
  const pool = { dir, services, env, ports, restateAdminUrl: restate.adminUrl }
  const [servers, workers, { own, other, connections }] = await services.waitForAll([
    services.waitForAll((options.workers === undefined ? roles : (['api'] as const)).map(startRole)),
    options.workers === undefined ? [] : startWorkerPool(options.workers, pool),
    services.step('Workspaces and accounts', () =>
      createDemoData({ dir, run, settings, ports, simulatorUrl: simulator.url, platforms: options.platforms }),
    ),
  ])

  const info: StackInfo = {
    baseUrl: `http://127.0.0.1:${ports.api}/api`,
    apiKey: own.apiKey,
    workspaceId: own.workspaceId,
    simulatorUrl: simulator.url,
    ...connections,
    otherApiKey: other.apiKey,
    otherWorkspaceId: other.workspaceId,
    webhookHost: `127.0.0.1:${ports.webhook}`,
    webhookTlsCert: certificate.certFile,
    webhookTlsKey: certificate.keyFile,
    databaseUrl: postgres.url,
    restateIngressUrl: restate.ingressUrl,
    restateAdminUrl: restate.adminUrl,
    restateIdentityKey: restate.identityKey,
    ...realServices,
    dir,
    pids: pidsOf(services.running),
  }
  const save = () => writeState(dir, { ...info, pids: pidsOf(services.running) }, services.running)
  await save()
  return {
    info,
    postgres,
    pooler,
    restate,
    simulator,
    servers: Object.fromEntries(servers.map((server) => [server.role, server])),
    workers,
    env,
    run,
    async connect(platform, handle) {
      const [connected] = await connectAccounts(run, own.workspaceId, [await openAccount(simulator.url, platform, handle)])
      if (!connected) throw new Error(`${handle} on ${platform} was not connected`)
      return connected
    },
    save,
    stop: () => services.stop(),
  }
}

type BaseOptions = { dir: string; options: StackOptions; services: ServiceGroup; ports: StackPorts }

/** Starts everything that the server needs before it can start. */
async function startBaseServices({ dir, options, services, ports }: BaseOptions) {
  const { fsync = true, keepsData = false } = options
  const enginePorts = { node: ports.restateNode, admin: ports.restateAdmin, ingress: ports.restateIngress }
  const [postgres, restate, simulator, model, certificate, realServices] = await services.waitForAll([
    services.start('PostgreSQL 18', () =>
      startPostgres({ dir: `${dir}/postgres`, port: ports.postgres, fsync, ...options.postgres }),
    ),
    services.start('Restate 1.7', () => startRestate({ dir: `${dir}/restate`, ports: enginePorts })),
    services.start('Simulator', () =>
      startSimulator({ dir: `${dir}/logs`, port: ports.simulator, dataDir: keepsData ? `${dir}/simulator` : undefined }),
    ),
    services.start('Language model', () => startModel({ dir: `${dir}/logs`, port: ports.model })),
    makeCertificate(`${dir}/tls`),
    startRealServices(services, dir, options),
  ])
  return { postgres, restate, simulator, model, certificate, realServices }
}

type PoolerOptions = Pick<BaseOptions, 'dir' | 'options' | 'services'> & { postgres: Postgres }

/** Starts a pooler if one is wanted. */
async function startPooler({ dir, options, services, postgres }: PoolerOptions): Promise<PgBouncer | null> {
  const { poolerConnections: serverConnections } = options
  if (serverConnections === undefined) return null
  const port = await freePort()
  return services.start('PgBouncer', () =>
    startPgBouncer({ dir: `${dir}/pgbouncer`, port, postgresPort: postgres.port, serverConnections }),
  )
}

type DemoOptions = {
  dir: string
  run: RunCommand
  settings: SavedSettings
  ports: StackPorts
  simulatorUrl: string
  platforms: readonly string[] | undefined
}
type DemoData = { own: Tenant; other: Tenant; connections: DemoConnections }

async function createDemoData({ dir, run, settings, ports, simulatorUrl, platforms }: DemoOptions): Promise<DemoData> {
  const [own, other] = await Promise.all([
    settings.tenants[0] ?? setUpTenant(run, { workspace: 'Demo', email: 'demo@example.com' }),
    settings.tenants[1] ?? setUpTenant(run, { workspace: 'Other', email: 'other@example.com' }),
  ])
  await writeSavedSettings(dir, { ...settings, tenants: [own, other], ports })
  const connections = await createDemoConnections(
    simulatorUrl,
    (accounts) => connectAccounts(run, own.workspaceId, accounts),
    platforms,
  )
  return { own, other, connections }
}

function pidsOf(running: readonly StoppableProcess[]): Record<string, number> {
  return Object.fromEntries(running.map(({ name, pid }) => [name, pid]))
}
