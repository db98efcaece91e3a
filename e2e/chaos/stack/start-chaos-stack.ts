import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { upStack, type Stack, type StackInfo } from '@carillon/stack'
import { runCarillon, type CarillonEnv, type Postgres, type Running } from '@carillon/stack/services'
import { createApi, type Api } from '../client/api.ts'
import { fieldsOf, textOf } from '../client/json.ts'
import type { Disturbance } from '../faults/disturbance.ts'
import { createSupervisor, type Supervisor } from '../faults/supervisor.ts'
import type { Parts } from '../plan/plan-stack-faults.ts'
import type { Workspace } from '../plan/slot.ts'
import { openAccountSets, type AccountSet } from './open-account-sets.ts'
import type { ShiftedClock } from './shifted-clock.ts'
import { createSimulatorControl, type SimulatorControl } from './simulator-control.ts'
import { startCluster } from './start-cluster.ts'
import { startEventReceiver, type EventReceiver } from './start-event-receiver.ts'
import { startLink, type Link } from './start-link.ts'
import { serverEnv } from './server-env.ts'
import { signInAdmin } from './sign-in-admin.ts'
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
  name: string
  hasStandby?: boolean
}

/** The services below the servers: the engine differs between the modes. */
type Base = {
  stack: Stack
  env: CarillonEnv
  engines: Record<string, Running>
  engineDataDir: string | null
  standby: Postgres | null
  stop(): Promise<void>
}

export async function startChaosStack({ mode, seeds, name, hasStandby = false }: ChaosStackOptions): Promise<ChaosStack> {
  const base = mode === 'cluster' ? await startOnCluster(name) : await startOnOneNode(name, hasStandby)
  let servers: Servers | undefined
  try {
    const workers = mode === 'single' ? 1 : 2
    servers = await startServers({ info: base.stack.info, workers, env: base.env })
    return await prepareStack(base, servers, seeds)
  } catch (error) {
    await servers?.stop()
    await base.stop()
    throw error
  }
}

async function prepareStack(base: Base, servers: Servers, seeds: readonly number[]): Promise<ChaosStack> {
  const { stack, engines } = base
  const { info } = stack
  const simulator = createSimulatorControl(info.simulatorUrl)
  await makeStrict(simulator)
  const eager = createApi(info)
  const carefulId = await createCarefulWorkspace(eager)
  const workspaceIds = { eager: info.workspaceId, careful: carefulId }
  const apis = { eager, careful: createApi({ ...info, workspaceId: carefulId }) }
  const accountSets = await openAccountSets(info.simulatorUrl, seeds, (workspace, connections) =>
    stack.run(['connect', '--json', '--workspace', workspaceIds[workspace]], JSON.stringify(connections)),
  )
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
  const [engine = '', ...otherEngines] = Object.keys(engines)
  const supervisor = createSupervisor(parts)
  return {
    info,
    apis,
    workspaceIds,
    adminCookies,
    simulator,
    accountSets,
    mediaIds,
    parts: { workers: servers.workers, engines: [engine, ...otherEngines] },
    supervisor,
    links: { ...servers.links, 'operator>database': operatorLink },
    callers: servers.callers,
    clock: servers.clock,
    engineDataDir: base.engineDataDir,
    standby: base.standby,
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
  await simulator.change({ rateLimits: false })
  for (const platform of ['x', 'linkedin']) await simulator.change({ platform, duplicateFilter: false, readDelayMs })
  for (const platform of ['threads', 'instagram'])
    await simulator.change({ platform, secondPublish: 'repeat', readDelayMs, containerStatusDelayMs: readDelayMs })
}

/** A workspace that holds posts which are more than a minute late. */
async function createCarefulWorkspace(api: Api): Promise<string> {
  const created = await api({ method: 'POST', path: '/workspaces', body: { name: 'Careful' }, key: 'chaos-careful' })
  const id = textOf(fieldsOf(created.data)['id'])
  if (id === null) throw new Error(`the workspace was not created: ${JSON.stringify(created.body)}`)
  const changed = await api({ method: 'PATCH', path: `/workspaces/${id}`, body: { holdIfLateMinutes: 1 } })
  if (changed.status !== 200) throw new Error(`the workspace was not changed: ${JSON.stringify(changed.body)}`)
  return id
}

async function startOnOneNode(name: string, hasStandby: boolean): Promise<Base> {
  const stack = await upStack({ name, roles: [] })
  const standby = hasStandby ? await startStandby(stack.postgres, stack.info.dir) : null
  const engineDataDir = join(stack.info.dir, 'restate', 'data')
  const stop = async () => {
    await standby?.stop()
    await stack.stop()
  }
  return { stack, env: {}, engines: { engine: stack.restate }, engineDataDir, standby, stop }
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
    return { stack, env: cluster.env, engines: cluster.nodes, engineDataDir: null, standby: null, stop }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
