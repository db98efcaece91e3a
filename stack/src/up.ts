import { rm } from 'node:fs/promises'
import { platforms } from '@carillon/contract'
import { runCarillon, startCarillon, type Carillon, type CarillonEnv, type Role } from '../services/carillon.ts'
import { makeCertificate } from '../services/certificate.ts'
import { startModel } from '../services/model.ts'
import { startPostgres, type Postgres } from '../services/postgres.ts'
import type { Endable } from '../services/process.ts'
import { startRestate, type Restate } from '../services/restate.ts'
import { startSimulator, type Simulator } from '../services/simulator.ts'
import { castAccounts } from './cast.ts'
import { readKept, writeKept } from './kept.ts'
import { createParts, type Report } from './parts.ts'
import { choosePorts, type StackPorts } from './ports.ts'
import { realPartsEnv, startRealParts, type RealParts } from './real-parts.ts'
import { openAccount, platformOrigins } from './simulated-accounts.ts'
import { stackDir, stopParts, writeState, type StackInfo } from './state.ts'
import { connectAccounts, setUpTenant, type ConnectedAccount } from './tenants.ts'

export type StackOptions = RealParts & {
  /** Data are in `.stack/<name>`, unless `dir` says otherwise. */
  name?: string
  dir?: string
  /** One process that does all, or each role as a process of its own. */
  roles?: readonly Role[]
  fsync?: boolean
  /** Opens the data of an earlier run instead of starting empty. */
  keepsData?: boolean
  /** Wishes: a port that somebody has already is replaced by a free one. */
  ports?: Partial<StackPorts>
  /** More settings for the server, or others than those a stack chooses. */
  env?: CarillonEnv
  report?: Report
}

/** A running stack, with a handle on each part to kill it and start it again. */
export type Stack = {
  info: StackInfo
  postgres: Postgres
  restate: Restate
  simulator: Simulator
  servers: Partial<Record<Role, Carillon>>
  /** Runs a command of the server's program with this stack's settings. */
  run(args: readonly string[], input?: string): Promise<unknown>
  /** Opens an account on the simulator and connects it to the stack's workspace. */
  connect(platform: string, handle: string): Promise<ConnectedAccount>
  /** Writes the process numbers down again; call it after a restart if the stack is to outlive this process. */
  save(): Promise<void>
  stop(): Promise<void>
}

/** Starts everything on free ports: database, engine, simulator and server, with two tenants and connected accounts. */
export async function upStack(options: StackOptions = {}): Promise<Stack> {
  const dir = options.dir ?? stackDir(options.name ?? 'default')
  // What an earlier run left running would hold the ports and the data.
  await stopParts(dir)
  if (options.keepsData !== true) await rm(dir, { recursive: true, force: true })
  const parts = createParts(dir, options.report)
  try {
    return await assemble(dir, options, parts)
  } catch (error) {
    await parts.stopAll()
    throw error
  }
}

async function assemble(dir: string, options: StackOptions, parts: ReturnType<typeof createParts>): Promise<Stack> {
  const { roles = ['all'], fsync = true } = options
  const kept = await readKept(dir)
  const ports = await choosePorts({ ...kept.ports, ...options.ports })
  const enginePorts = { node: ports.restateNode, admin: ports.restateAdmin, ingress: ports.restateIngress }
  const [postgres, restate, simulator, model, certificate, real] = await parts.together([
    parts.start('PostgreSQL 18', () => startPostgres({ dir: `${dir}/postgres`, port: ports.postgres, fsync })),
    parts.start('Restate 1.7', () => startRestate({ dir: `${dir}/restate`, ports: enginePorts })),
    parts.start('Simulator', () => startSimulator({ dir: `${dir}/logs`, port: ports.simulator })),
    parts.start('Language model', () => startModel({ dir: `${dir}/logs`, port: ports.model })),
    makeCertificate(`${dir}/tls`),
    startRealParts(parts, dir, options),
  ])
  const env: CarillonEnv = {
    DATABASE_URL: postgres.url,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    CARILLON_HOST: '127.0.0.1',
    CARILLON_PORT: String(ports.api),
    CARILLON_WORKER_PORT: String(ports.worker),
    CARILLON_WORKER_URL: `http://127.0.0.1:${ports.worker}`,
    CARILLON_PUBLIC_URL: `http://127.0.0.1:${ports.api}`,
    CARILLON_SECRET_KEYS: kept.secretKeys,
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
    CARILLON_PLATFORM_ORIGINS: JSON.stringify(platformOrigins(simulator.url, platforms)),
    CARILLON_AI_URL: model.url,
    CARILLON_AI_MODEL: 'test-model',
    CARILLON_MEDIA_DIR: `${dir}/media`,
    NODE_EXTRA_CA_CERTS: certificate.certFile,
    ...realPartsEnv(real),
    ...options.env,
  }
  const run = (args: readonly string[], input?: string) => runCarillon(args, { env, ...(input !== undefined && { input }) })
  await parts.step('Migrations', () => run(['migrate', '--json']))

  const startRole = (role: Role) =>
    parts.start(`Carillon ${role}`, () =>
      startCarillon({
        role,
        dir: `${dir}/logs`,
        env,
        port: ports.api,
        workerPort: ports.worker,
        restateAdminUrl: restate.adminUrl,
      }),
    )
  const serving = parts.together(roles.map(startRole))
  const peopling = parts.step('Workspaces and accounts', async () => {
    const [own, other] = await Promise.all([
      kept.tenants[0] ?? setUpTenant(run, { workspace: 'Demo', email: 'demo@example.com' }),
      kept.tenants[1] ?? setUpTenant(run, { workspace: 'Other', email: 'other@example.com' }),
    ])
    await writeKept(dir, { ...kept, tenants: [own, other], ports })
    const cast = await castAccounts(simulator.url, (connections) => connectAccounts(run, own.workspaceId, connections))
    return { own, other, cast }
  })
  const [servers, { own, other, cast }] = await parts.together([serving, peopling])

  const info: StackInfo = {
    baseUrl: `http://127.0.0.1:${ports.api}/api`,
    apiKey: own.apiKey,
    workspaceId: own.workspaceId,
    simulatorUrl: simulator.url,
    ...cast,
    otherApiKey: other.apiKey,
    otherWorkspaceId: other.workspaceId,
    webhookHost: `127.0.0.1:${ports.webhook}`,
    webhookTlsCert: certificate.certFile,
    webhookTlsKey: certificate.keyFile,
    databaseUrl: postgres.url,
    restateIngressUrl: restate.ingressUrl,
    restateAdminUrl: restate.adminUrl,
    ...real,
    dir,
    pids: pidsOf(parts.running),
  }
  const save = () => writeState(dir, { ...info, pids: pidsOf(parts.running) }, parts.running)
  await save()
  return {
    info,
    postgres,
    restate,
    simulator,
    servers: Object.fromEntries(servers.map((server) => [server.role, server])),
    run,
    async connect(platform, handle) {
      const [connected] = await connectAccounts(run, own.workspaceId, [await openAccount(simulator.url, platform, handle)])
      if (!connected) throw new Error(`${handle} on ${platform} was not connected`)
      return connected
    },
    save,
    stop: () => parts.stopAll(),
  }
}

function pidsOf(running: readonly Endable[]): Record<string, number> {
  return Object.fromEntries(running.map(({ name, pid }) => [name, pid]))
}
