import { startCarillon, type Carillon, type Running } from '@carillon/stack/services'
import { upStack, type Stack, type StackInfo } from '@carillon/stack'
import { openAccountSets, type AccountSet } from './account-sets.ts'
import { createApi, type Api } from './api.ts'
import { startCluster } from './cluster.ts'
import { startEventReceiver, type EventReceiver } from './event-receiver.ts'
import { createSimulatorControl, type SimulatorControl } from './simulator-control.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

/** Everything that a batch of seeds runs on: one stack, the parts that are killed, the accounts, and a receiver of its events. */
export type ChaosStack = {
  info: StackInfo
  api: Api
  simulator: SimulatorControl
  accountSets: AccountSet[]
  supervisor: Supervisor
  /** `each`: the parts that any kill may choose from. `always`: parts of which every seed kills one. */
  killable: { each: string[]; always: string[] }
  receiver: EventReceiver
  logFiles: string[]
  /** Leaves the stack running. */
  detach(): Promise<void>
  stop(): Promise<void>
}

export type ChaosStackOptions = { isCluster: boolean; sets: number; name: string }

type BaseStack = { stack: Stack; parts: Record<string, Running>; killable: ChaosStack['killable']; stop(): Promise<void> }

export async function startChaosStack({ isCluster, sets, name }: ChaosStackOptions): Promise<ChaosStack> {
  const base = isCluster ? await startOnCluster(name) : await startOnOneNode(name)
  try {
    return await prepareStack(base, sets)
  } catch (error) {
    await base.stop()
    throw error
  }
}

async function prepareStack({ stack, parts, killable, stop }: BaseStack, count: number): Promise<ChaosStack> {
  const { info } = stack
  const api = createApi(info)
  const simulator = createSimulatorControl(info.simulatorUrl)
  // The platforms' rate limits would make a long batch wait for hours. The faults answer 429 instead.
  await simulator.setRateLimits(false)
  const connect = (connections: readonly unknown[]) =>
    stack.run(['connect', '--json', '--workspace', info.workspaceId], JSON.stringify(connections))
  const accountSets = await openAccountSets(info.simulatorUrl, count, connect)
  const receiver = await startEventReceiver(info, api)
  const supervisor = createSupervisor(parts)
  return {
    info,
    api,
    simulator,
    accountSets,
    supervisor,
    killable,
    receiver,
    logFiles: Object.values(parts).map(({ logFile }) => logFile),
    async detach() {
      await supervisor.stop()
      await stack.save()
    },
    async stop() {
      await supervisor.stop()
      receiver.close()
      await stop()
    },
  }
}

// A killed process loses nothing that is in the system's page cache, so waiting for the disk would only slow the seeds down.
const fsync = false

async function startOnOneNode(name: string): Promise<BaseStack> {
  const stack = await upStack({ name, roles: ['api', 'worker'], fsync })
  const { api, worker } = stack.servers
  if (!api || !worker) throw new Error('the stack has no api or no worker')
  const parts = { api, worker, restate: stack.restate, postgres: stack.postgres }
  return { stack, parts, killable: { each: Object.keys(parts), always: [] }, stop: () => stack.stop() }
}

async function startOnCluster(name: string): Promise<BaseStack> {
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
    // The stack starts its own Restate server, which the cluster replaces here.
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
