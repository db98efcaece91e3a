import { join } from 'node:path'
import type { StackInfo } from '@carillon/stack'
import { freePorts, startCarillon, startHaproxy, type CarillonEnv, type Running } from '@carillon/stack/services'
import { platformOrigins, serverEnv } from './server-env.ts'
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts'
import { startLink, type Link } from './start-link.ts'

export type Servers = {
  /** `api`, `worker-1`, `worker-2` … */
  processes: Record<string, Running>
  workers: [string, ...string[]]
  /** `<process>>database`, `<process>>engine`, and `engine>workers`. */
  links: Record<string, Link>
  /** The worker behind each address of the platforms. */
  callers: Record<string, string>
  /** The clock of the last worker. */
  clock: ShiftedClock | null
  stop(): Promise<void>
}

type Options = { info: StackInfo; workers: number; env: CarillonEnv }

/** Starts an API and workers behind a balancer. Every connection between them, the engine and the database goes through a link. */
export async function startServers({ info, workers: count, env: more }: Options): Promise<Servers> {
  const env = { ...serverEnv(info), ...more }
  const links: Record<string, Link> = {}
  const callers: Record<string, string> = {}
  const running: Running[] = []
  const stop = async () => {
    for (const each of running.toReversed()) await each.stop()
    for (const link of Object.values(links)) link.close()
  }
  const openLink = async (name: string, url: string) => {
    const link = await startLink(Number(new URL(url).port))
    links[name] = link
    return withPort(url, link.port)
  }
  const linkPlatforms = async (name: string) => {
    const url = new URL(await openLink(`${name}>platforms`, info.simulatorUrl))
    callers[url.host] = name
    return { CARILLON_PLATFORM_ORIGINS: platformOrigins(url.origin) }
  }
  try {
    const names = Array.from({ length: count }, (_, at) => `worker-${at + 1}`)
    const free = await freePorts(2 * count + 1)
    const places = names.map((name, at) => ({ name, port: free[2 * at] ?? 0, healthPort: free[2 * at + 1] ?? 0 }))
    const [first] = places
    if (!first) throw new Error('a stack needs a worker')
    const balancer =
      count > 1 ? await startHaproxy({ dir: join(info.dir, 'haproxy'), port: free.at(-1) ?? 0, workers: places }) : null
    if (balancer) running.push(balancer)
    const workerUrl = await openLink('engine>workers', balancer?.url ?? `http://127.0.0.1:${first.port}`)
    const clock = await createShiftedClock(info.dir)
    const startOne = async (name: string, role: 'api' | 'worker', own: CarillonEnv, workerPort: number) => {
      const platformsOf = role === 'worker' ? await linkPlatforms(name) : {}
      const linked = {
        ...platformsOf,
        DATABASE_URL: await openLink(`${name}>database`, info.databaseUrl),
        RESTATE_INGRESS_URL: await openLink(`${name}>engine`, env['RESTATE_INGRESS_URL'] ?? ''),
        CARILLON_WORKER_URL: workerUrl,
      }
      const server = await startCarillon({
        role,
        name,
        dir: join(info.dir, 'logs'),
        env: { ...env, ...linked, ...own },
        port: Number(new URL(info.baseUrl).port),
        workerPort,
        restateAdminUrl: env['RESTATE_ADMIN_URL'] ?? '',
      })
      running.push(server)
      return [name, server] as const
    }
    const started = await Promise.all([
      startOne('api', 'api', {}, 0),
      ...places.map(({ name, port, healthPort }, at) => {
        const own = { CARILLON_WORKER_PORT: String(port), CARILLON_HEALTH_PORT: String(healthPort) }
        return startOne(name, 'worker', { ...own, ...(at === count - 1 && clock?.env) }, port)
      }),
    ])
    const workers: Servers['workers'] = [first.name, ...names.slice(1)]
    return { processes: Object.fromEntries(started), workers, links, callers, clock, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href.replace(/\/$/, '')
}
