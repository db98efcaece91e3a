import { freePorts, startCarillon, type Carillon } from '@carillon/stack/services'
import { registerCleanup } from '../cleanup.ts'
import { httpLoad } from '../load/http-load.ts'
import { cpuBetween, readCpu } from '../measure/processes.ts'
import { logProgress } from '../log-progress.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { limitCpu } from './limit-cpu.ts'
import type { ScaleRound } from './scale-workers.ts'

type Options = { rounds: number; seconds: number; share: number; counts: readonly number[] }

const connectionsEach = 6
/** The measured part is short, and the first hundreds of requests of a process are slower than later ones. */
const warmUpSeconds = 8

/** Creates posts through one API process, then through more, each limited to the same part of a core. */
export async function scaleApis({ rounds, seconds, share, counts }: Options): Promise<ScaleRound[]> {
  await using bench = await startBenchStack({ name: 'bench-scale' })
  const { stack, simulator, headers } = bench
  const connected = await connectAccounts(stack, simulator, 1)
  const slugs = [connected.bluesky, connected.mastodon, connected.x].flatMap(([first]) => first?.slug ?? [])
  const scheduledAt = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const body = JSON.stringify({ text: 'A post.', connections: slugs, async: true, scheduledAt })
  const load = (baseUrl: string, span: number) =>
    httpLoad({
      baseUrl,
      headers,
      loadRequests: [{ path: '/content/text', body }],
      connections: connectionsEach,
      seconds: span,
      withKeys: true,
    })
  const started = await startApis(bench, Math.max(...counts))
  const stopAll = async () => void (await Promise.all(started.map(({ api }) => api.stop())))
  const unregister = registerCleanup(stopAll)
  try {
    for (const { baseUrl } of started) await load(baseUrl, warmUpSeconds)
    const release = started.map(({ api }) => limitCpu(api.pid, share))
    const pids = { api: started[0]?.api.pid ?? 0, postgres: stack.postgres.pid }
    const measured: ScaleRound[] = []
    for (let n = 0; n < rounds; n++) {
      for (const count of counts) {
        const before = readCpu(pids)
        const loads = await Promise.all(started.slice(0, count).map(({ baseUrl }) => load(baseUrl, seconds)))
        const perSecond = loads.reduce((sum, each) => sum + each.perSecond, 0)
        const left = loads.reduce((sum, each) => sum + each.refused, 0)
        measured.push({ processes: count, perSecond, tookMs: seconds * 1000, left, cpu: cpuBetween(before, readCpu(pids)) })
        logProgress(`${count} APIs: ${Math.round(perSecond)} posts a second, ${left} refused`)
      }
    }
    for (const undo of release) undo()
    return measured
  } finally {
    unregister()
    await stopAll()
  }
}

type StartedApi = { api: Carillon; baseUrl: string }

/** Further API processes beside that of the stack, which stays idle. */
async function startApis({ stack }: BenchStack, count: number): Promise<StartedApi[]> {
  const ports = await freePorts(count)
  return Promise.all(
    ports.map(async (port, at) => {
      const env = { ...stack.env, CARILLON_PORT: String(port), CARILLON_DATABASE_TENANT_CONNECTIONS: '8' }
      const api = await startCarillon({
        role: 'api',
        name: `api-${at + 1}`,
        dir: `${stack.info.dir}/logs`,
        env,
        port,
        workerPort: 0,
        restateAdminUrl: stack.info.restateAdminUrl,
      })
      return { api, baseUrl: `http://127.0.0.1:${port}/api` }
    }),
  )
}
