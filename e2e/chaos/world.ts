import { startCarillon, type Carillon, type Running } from '@carillon/stack/services'
import { upStack, type Stack, type StackInfo } from '@carillon/stack'
import { openAccountSets, type AccountSet } from './accounts.ts'
import { createApi, type Api } from './api.ts'
import { startCluster } from './cluster.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { createSimulatorControl, type SimulatorControl } from './simulator-control.ts'
import { createVictims, type Victims } from './victims.ts'

/** Everything a batch of seeds runs on: one stack, its parts to kill, its accounts, and the witness of its events. */
export type World = {
  info: StackInfo
  api: Api
  simulator: SimulatorControl
  sets: AccountSet[]
  victims: Victims
  /** Which parts each kill of a seed may choose from, and of which one dies in every seed. */
  killable: { each: string[]; always: string[] }
  receiver: Receiver
  logFiles: string[]
  /** Goes away without ending anything. */
  leave(): Promise<void>
  stop(): Promise<void>
}

export type WorldOptions = { isCluster: boolean; sets: number; name: string }

type Ground = { stack: Stack; parts: Record<string, Running>; killable: World['killable']; stop(): Promise<void> }

export async function startWorld({ isCluster, sets, name }: WorldOptions): Promise<World> {
  const ground = isCluster ? await startOnCluster(name) : await startOnOneNode(name)
  try {
    return await people(ground, sets)
  } catch (error) {
    await ground.stop()
    throw error
  }
}

async function people({ stack, parts, killable, stop }: Ground, count: number): Promise<World> {
  const { info } = stack
  const api = createApi(info)
  const simulator = createSimulatorControl(info.simulatorUrl)
  // The platforms' own limits would make a long batch wait for hours; 429 comes from the faults instead.
  await simulator.setRateLimits(false)
  const connect = (connections: readonly unknown[]) =>
    stack.run(['connect', '--json', '--workspace', info.workspaceId], JSON.stringify(connections))
  const sets = await openAccountSets(info.simulatorUrl, count, connect)
  const receiver = await startReceiver(info, api)
  const victims = createVictims(parts)
  return {
    info,
    api,
    simulator,
    sets,
    victims,
    killable,
    receiver,
    logFiles: Object.values(parts).map(({ logFile }) => logFile),
    async leave() {
      await victims.stop()
      await stack.save()
    },
    async stop() {
      await victims.stop()
      receiver.close()
      await stop()
    },
  }
}

// A killed process loses nothing that reached the system's cache, so waiting for the disk would only slow the seeds down.
const fsync = false

async function startOnOneNode(name: string): Promise<Ground> {
  const stack = await upStack({ name, roles: ['api', 'worker'], fsync })
  const { api, worker } = stack.servers
  if (!api || !worker) throw new Error('the stack has no api or no worker')
  const parts = { api, worker, restate: stack.restate, postgres: stack.postgres }
  return { stack, parts, killable: { each: Object.keys(parts), always: [] }, stop: () => stack.stop() }
}

async function startOnCluster(name: string): Promise<Ground> {
  const cluster = await startCluster(name)
  const env = { ...cluster.env, CARILLON_SECRET_KEYS: cluster.secretKeys }
  let stack: Stack | undefined
  const servers: Carillon[] = []
  const stop = async () => {
    for (const server of servers) await server.stop()
    await stack?.stop()
    await cluster.stop()
  }
  try {
    const made = await upStack({ name, roles: [], fsync, ports: cluster.ports, env })
    stack = made
    // The stack brings an engine of its own; here the cluster takes its place.
    await made.restate.stop()
    const { ports } = cluster
    const serverEnv = { ...env, ...cluster.serverEnv(made.info) }
    for (const role of ['worker', 'api'] as const) {
      const options = { role, dir: `${made.info.dir}/logs`, env: serverEnv, port: ports.api, workerPort: ports.worker }
      servers.push(await startCarillon({ ...options, restateAdminUrl: cluster.env.RESTATE_ADMIN_URL }))
    }
    const [worker, api] = servers
    if (!worker || !api) throw new Error('the servers did not start')
    const parts = { api, worker, ...cluster.nodes }
    return { stack: made, parts, killable: { each: ['api', 'worker'], always: Object.keys(cluster.nodes) }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
