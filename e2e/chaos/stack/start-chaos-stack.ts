import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { upStack, type Stack, type StackInfo } from '@carillon/stack'
import { runCarillon, type CarillonEnv, type Postgres, type Running } from '@carillon/stack/services'
import { createApi, type Api } from '../client/api.ts'
import { fieldsOf, textOf } from '../client/json.ts'
import type { Disturbance } from '../faults/disturbance.ts'
import { createSupervisor, type Supervisor } from '../faults/supervisor.ts'
import { openCrowd, type Crowd } from '../faults/crowd.ts'
import { makePlan } from '../plan/plan.ts'
import { platforms, traitsOf } from '../plan/platform-traits.ts'
import type { Parts } from '../plan/plan-stack-faults.ts'
import { slotsOf, type Reach, type Workspace } from '../plan/slot.ts'
import { openAccountSets, type AccountSet } from './open-account-sets.ts'
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts'
import { createSimulatorControl, type SimulatorControl } from './simulator-control.ts'
import { startCluster } from './start-cluster.ts'
import { startEventReceiver, type EventReceiver } from './start-event-receiver.ts'
import { startLink, type Link } from './start-link.ts'
import { serverEnv } from './server-env.ts'
import { signInAdmin } from './sign-in-admin.ts'
import { moveToSmallDisk, type SmallDisk } from './small-disk.ts'
import { startServers, type Servers } from './start-servers.ts'
import { startStandby } from './start-standby.ts'
import { uploadMedia, type MediaIds } from './upload-media.ts'

/** Everything that a batch of seeds runs on: one stack, what can fail in it, the accounts, and a receiver of its events. */
export type ChaosStack = {
  info: StackInfo
  apis: Record<Workspace, Api>
  workspaceIds: Record<Workspace, string>
  /** Of a person who may connect accounts in both workspaces. */
  adminCookies: string
  simulator: SimulatorControl
  /** In the order of the seeds. */
  accountSets: AccountSet[]
  mediaIds: MediaIds
  parts: Parts
  supervisor: Supervisor
  links: Record<string, Link>
  /** The worker behind each address of the platforms. */
  callers: Readonly<Record<string, string>>
  clock: ShiftedClock | null
  /** Null if the engine is a cluster. */
  engineDataDir: string | null
  /** A synchronous standby of the database, if there is one. */
  standby: Postgres | null
  /** Null where there is none, or nothing may be mounted. */
  smallDisk: SmallDisk | null
  crowd: Crowd
  /** The time that the processes see. */
  nowMs(): number
  moveClock: ((byMs: number) => Promise<void>) | null
  /** Runs a command of the server's program, also after a failover. */
  operator(args: readonly string[]): Promise<unknown>
  /** Queries the database as a superuser, whatever the servers' connections do. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  receiver: EventReceiver
  /** Every fault of the stack so far, of all seeds. */
  disturbances: Disturbance[]
  logFiles: string[]
  /** Leaves the stack running. */
  detach(): Promise<void>
  stop(): Promise<void>
}

export type ChaosStackOptions = {
  mode: 'single' | 'two' | 'cluster'
  seeds: readonly number[]
  reach?: Reach
  name: string
  hasStandby?: boolean
  /** Whether the clock of every process but the engine can be moved. */
  hasMovedClock?: boolean
  /** Whether the tables get a disk that can be filled. It is not part of a copy of the database's folder. */
  hasSmallDisk?: boolean
}

/** The services below the servers: the engine differs between the modes. */
type Base = {
  stack: Stack
  env: CarillonEnv
  engines: Record<string, Running>
  engineDataDir: string | null
  standby: Postgres | null
  smallDisk: SmallDisk | null
  stop(): Promise<void>
}

export async function startChaosStack(options: ChaosStackOptions): Promise<ChaosStack> {
  const { mode, name } = options
  const clock = options.hasMovedClock ? await createShiftedClock(await mkdtemp(join(tmpdir(), 'carillon-clock-'))) : null
  // Every process that is started from here on inherits it.
  Object.assign(process.env, clock?.env)
  const base = mode === 'cluster' ? await startOnCluster(name) : await startOnOneNode(name, options)
  let servers: Servers | undefined
  try {
    const workers = mode === 'single' ? 1 : 2
    // The engine signs its requests with a time, and its clock stays.
    const env = clock ? { ...base.env, RESTATE_IDENTITY_KEYS: '' } : base.env
    servers = await startServers({ info: base.stack.info, workers, env })
    return await prepareStack(base, servers, options, clock)
  } catch (error) {
    await servers?.stop()
    await base.stop()
    throw error
  }
}

async function prepareStack(
  base: Base,
  servers: Servers,
  { seeds, reach = 'usual' }: ChaosStackOptions,
  shared: ShiftedClock | null,
): Promise<ChaosStack> {
  const { stack, engines } = base
  const { info } = stack
  const simulator = createSimulatorControl(info.simulatorUrl)
  await makeStrict(simulator)
  const eager = createApi(info)
  const carefulId = await createCarefulWorkspace(eager)
  const crowdId = await createWorkspace(eager, 'Crowd')
  const workspaceIds = { eager: info.workspaceId, careful: carefulId }
  const apis = { eager, careful: createApi({ ...info, workspaceId: carefulId }) }
  const accountSets = await openAccountSets(info.simulatorUrl, { seeds, slots: slotsOf(reach) }, (workspace, connections) =>
    stack.run(['connect', '--json', '--workspace', workspaceIds[workspace]], JSON.stringify(connections)),
  )
  const processes = partsOf(servers, engines)
  const crowded = seeds.filter((seed) => makePlan(seed, processes).stackFaults.some(({ target }) => target === 'crowd'))
  const crowd = await openCrowd(crowded, {
    api: createApi({ ...info, workspaceId: crowdId }),
    simulator,
    simulatorUrl: info.simulatorUrl,
    connect: (connections) => stack.run(['connect', '--json', '--workspace', crowdId], JSON.stringify(connections)),
  })
  const adminCookies = await signInAdmin(stack, Object.values(workspaceIds))
  const mediaIds = await uploadMedia(info)
  const receiver = await startEventReceiver(info, apis)
  const parts = { ...servers.processes, ...engines, postgres: stack.postgres }
  const operatorLink = await startLink(stack.postgres.port)
  const operatorEnv = {
    ...serverEnv(info),
    ...base.env,
    DATABASE_URL: stack.postgres.url.replace(`:${stack.postgres.port}`, `:${operatorLink.port}`),
  }
  const supervisor = createSupervisor(parts)
  let aheadMs = 0
  const moveClock = async (byMs: number) => {
    aheadMs = byMs
    await Promise.all([shared?.shift(byMs), servers.clock?.shift(byMs)])
  }
  return {
    info,
    apis,
    workspaceIds,
    adminCookies,
    simulator,
    accountSets,
    mediaIds,
    parts: processes,
    supervisor,
    links: { ...servers.links, 'operator>database': operatorLink },
    callers: servers.callers,
    clock: servers.clock,
    engineDataDir: base.engineDataDir,
    standby: base.standby,
    smallDisk: base.smallDisk,
    crowd,
    nowMs: () => Date.now() + aheadMs,
    moveClock: shared && moveClock,
    operator: (args) => runCarillon(args, { env: operatorEnv }),
    query: (text, values = []) => queryOnce(stack.postgres.url, text, values),
    receiver,
    disturbances: [],
    logFiles: Object.values(parts).map(({ logFile }) => logFile),
    async detach() {
      await supervisor.stop()
      await stack.save()
    },
    async stop() {
      await supervisor.stop()
      receiver.close()
      operatorLink.close()
      await servers.stop()
      await base.stop()
      for (const name of Object.keys(shared?.env ?? {})) delete process.env[name]
    },
  }
}

/** Tries again while the database is down: faults overlap. */
async function queryOnce(connectionString: string, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text, values)).rows
    } catch (error) {
      if (tries >= queryTriesMax) throw error
      await sleep(500)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const queryTriesMax = 60

/** How long new posts are not in the lists of platforms that promise no more, and how long a published container looks unpublished. */
const readDelayMs = 3000

/**
 * No platform hides a repeated call: X and LinkedIn accept the same text again, and a published container publishes once more. Whether
 * they do so in reality is not documented. Their rate limits would make a long batch wait for hours; faults answer 429 instead.
 */
export async function makeStrict(simulator: SimulatorControl): Promise<void> {
  // Those that have the setting.
  for (const change of [{ duplicateFilter: false }, { secondPublish: 'repeat', containerStatusDelayMs: readDelayMs }])
    await simulator.change(change)
  await simulator.change({ rateLimits: false })
  for (const platform of platforms.filter((each) => traitsOf(each).listsLate)) await simulator.change({ platform, readDelayMs })
}

function partsOf({ workers }: Servers, engines: Base['engines']): Parts {
  const [engine = '', ...others] = Object.keys(engines)
  return { workers, engines: [engine, ...others] }
}

async function createWorkspace(api: Api, name: string): Promise<string> {
  const created = await api({ method: 'POST', path: '/workspaces', body: { name }, key: `chaos-${name}` })
  const id = textOf(fieldsOf(created.data)['id'])
  if (id === null) throw new Error(`the workspace was not created: ${JSON.stringify(created.body)}`)
  return id
}

/** A workspace that holds posts which are more than a minute late. */
async function createCarefulWorkspace(api: Api): Promise<string> {
  const id = await createWorkspace(api, 'Careful')
  const changed = await api({ method: 'PATCH', path: `/workspaces/${id}`, body: { holdIfLateMinutes: 1 } })
  if (changed.status !== 200) throw new Error(`the workspace was not changed: ${JSON.stringify(changed.body)}`)
  return id
}

type DatabaseOptions = Pick<ChaosStackOptions, 'hasStandby' | 'hasSmallDisk'>

async function startOnOneNode(name: string, { hasStandby, hasSmallDisk }: DatabaseOptions): Promise<Base> {
  const stack = await upStack({ name, roles: [] })
  const standby = hasStandby ? await startStandby(stack.postgres, stack.info.dir) : null
  const smallDisk = hasSmallDisk ? await moveToSmallDisk(stack.postgres, stack.info.dir) : null
  const engineDataDir = join(stack.info.dir, 'restate', 'data')
  const stop = async () => {
    await standby?.stop()
    await stack.stop()
    await smallDisk?.stop()
  }
  return { stack, env: {}, engines: { engine: stack.restate }, engineDataDir, standby, smallDisk, stop }
}

export async function startOnCluster(name: string): Promise<Base> {
  const cluster = await startCluster(name)
  try {
    const stack = await upStack({ name, roles: [], env: cluster.env })
    // The stack starts its own Restate server, which the cluster replaces here.
    await stack.restate.stop()
    const stop = async () => {
      await stack.stop()
      await cluster.stop()
    }
    return { stack, env: cluster.env, engines: cluster.nodes, engineDataDir: null, standby: null, smallDisk: null, stop }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
