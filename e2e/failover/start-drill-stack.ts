import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack, StackInfo } from '@carillon/stack'
import { runCarillon, type CarillonEnv } from '@carillon/stack/services'
import { createApi, type Api } from '../chaos/client/api.ts'
import { parsePost, type ApiChannel } from '../chaos/client/api-post.ts'
import { fieldsOf } from '../chaos/client/json.ts'
import { measureSlowness } from '../support/slowness.ts'
import { serverEnv } from '../chaos/stack/server-env.ts'
import { createSimulatorControl, type SimulatorControl } from '../chaos/stack/simulator-control.ts'
import { makeStrict } from '../chaos/stack/start-chaos-stack.ts'
import { startServers, type Servers } from '../chaos/stack/start-servers.ts'
import { recordDrill } from '../support/record-drill.ts'
import { judgeTraffic, type DrillFigures, type LostTime } from './judge-traffic.ts'
import { createTraffic, type DrillPost, type Traffic } from './traffic.ts'

/** The services below the servers. `databaseUrl` is the address that Carillon uses, if it differs from that of the first database. */
export type DrillBase = { stack: Stack; env?: CarillonEnv; databaseUrl?: string; stop(): Promise<void> }

export type DrillStack = {
  info: StackInfo
  servers: Servers
  simulator: SimulatorControl
  /** Runs a command of the server's program, as an operator does. */
  operator(args: readonly string[]): Promise<Record<string, unknown>>
  traffic(name: string): Traffic
  /** Stops the traffic, waits until no post changes any more, judges and records. */
  finish(drill: string, traffic: Traffic, more?: { lost?: LostTime; figures?: Record<string, unknown> }): Promise<DrillFigures>
  stop(): Promise<void>
}

/** How long posts may take to come to rest after the traffic has ended. A send whose run was lost is looked after a minute later. */
const restWithinMs = 100_000
const slownessForRestMax = 2

/** Starts an API and two workers on the services, with platforms that hide no repeated call. */
export async function startDrillStack(base: DrillBase): Promise<DrillStack> {
  const info = { ...base.stack.info, databaseUrl: base.databaseUrl ?? base.stack.info.databaseUrl }
  const env = base.env ?? {}
  const simulator = createSimulatorControl(info.simulatorUrl)
  const beganMs = Date.now()
  try {
    await makeStrict(simulator)
    const servers = await startServers({ info, workers: 2, env })
    const api = createApi(info)
    return {
      info,
      servers,
      simulator,
      operator: async (args) => fieldsOf(await runCarillon(args, { env: { ...serverEnv(info), ...env } })),
      traffic: (name) => createTraffic(info, api, name),
      async finish(drill, traffic, { lost, figures: more } = {}) {
        await traffic.stop()
        const channels = await readAtRest(api, traffic.posts)
        const submits = await simulator.submits(traffic.prefix)
        const figures = judgeTraffic({
          posts: traffic.posts,
          channelOf: (post) => channels.get(post),
          submits,
          lost: lost ?? null,
        })
        await recordDrill(drill, beganMs, { ...figures, ...more, slowness: Math.round(measureSlowness() * 10) / 10 })
        console.log(drill, JSON.stringify({ ...figures, ...more }))
        return figures
      },
      async stop() {
        await servers.stop()
        await base.stop()
      },
    }
  } catch (error) {
    await base.stop()
    throw error
  }
}

/** The channels of all accepted posts, as soon as none waits to be sent any more. */
async function readAtRest(api: Api, posts: readonly DrillPost[]): Promise<Map<DrillPost, ApiChannel>> {
  const channels = new Map<DrillPost, ApiChannel>()
  let open = [...posts]
  const endMs = Date.now() + restWithinMs * Math.min(slownessForRestMax, measureSlowness())
  while (open.length > 0) {
    const waiting: DrillPost[] = []
    for (const post of open) {
      const channel = await readChannel(api, post)
      if (channel) channels.set(post, channel)
      if (channel?.status === 'pending' || channel?.status === 'publishing') waiting.push(post)
    }
    open = waiting
    if (Date.now() > endMs) break
    if (open.length > 0) await sleep(1000)
  }
  return channels
}

async function readChannel(api: Api, { accepted }: DrillPost): Promise<ApiChannel | undefined> {
  if (!accepted) return undefined
  const answer = await api({ method: 'GET', path: `/content/${accepted.id}` })
  return answer.status === 200 ? parsePost(answer.data).channels[0] : undefined
}
