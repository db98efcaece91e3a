import { join } from 'node:path'
import { openAccount, upStack, type StackInfo } from '@carillon/stack'
import {
  cacheDir,
  freePorts,
  runCarillon,
  startCarillon,
  startHaproxy,
  type Carillon,
  type CarillonEnv,
  type Running,
} from '@carillon/stack/services'
import { fieldsOf, listOf, textOf } from '../chaos/client/json.ts'
import { serverEnv } from '../chaos/stack/server-env.ts'
import type { Release } from './prepare-previous-release.ts'

export type Account = { platform: string; handle: string; slug: string }

/** An address of workers that the engine knows, as `carillon workers` shows it. */
export type WorkerAddress = { url: string; isCurrent: boolean; openRuns: number }

type Place = { port: number; healthPort: number }

export const apiCount = 2
const workersEach = 2
const platforms = ['bluesky', 'linkedin', 'mastodon', 'threads', 'x']
const accountsEach = 16
/** Several processes start while others work, so this takes longer than usual on a busy machine. */
const readyWithinMs = 240_000

export type UpgradeStack = Awaited<ReturnType<typeof startUpgradeStack>>

/**
 * A stack made by the old release: its schema, its workspaces and its connections. Two API processes are behind one balancer, and the two
 * workers of each release are behind a balancer of their own, so that each release has one address.
 */
export async function startUpgradeStack(old: Release) {
  const stack = await upStack({
    name: 'e2e-upgrade',
    fsync: false,
    roles: [],
    ...(old.program && { program: old.program }),
    platforms,
  })
  const { info } = stack
  const running: Running[] = []
  const stop = async () => {
    for (const each of running.toReversed()) await each.stop()
    await stack.stop()
  }
  try {
    // The compile cache makes the start of a source tree a little more like that of a release, which is one compiled file.
    const env = { ...serverEnv(info), CARILLON_REQUESTS_PER_MINUTE: '100000', NODE_COMPILE_CACHE: join(cacheDir(), 'compile') }
    const [apiPlaces, balancers] = [await freePlaces(apiCount), await freePorts(2)]
    const workerPlaces = { old: await freePlaces(workersEach), new: await freePlaces(workersEach) }
    const workerPort = { old: balancers[0] ?? 0, new: balancers[1] ?? 0 }
    const balance = async (name: string, port: number, workers: readonly Place[]) =>
      running.push(await startHaproxy({ dir: join(info.dir, `haproxy-${name}`), port, workers }))
    await balance('api', Number(new URL(info.baseUrl).port), apiPlaces)
    for (const name of ['old', 'new'] as const) await balance(name, workerPort[name], workerPlaces[name])

    const apis: Carillon[] = []
    const workers: Record<Release['name'], Carillon[]> = { old: [], new: [] }
    const start = async (role: 'api' | 'worker', { name, program }: Release, at: number): Promise<Carillon> => {
      const place = (role === 'api' ? apiPlaces : workerPlaces[name])[at]
      if (!place) throw new Error(`there is no place ${at} for another ${role}`)
      const started = await startCarillon({
        role,
        name: `${role}-${at + 1}-${name}`,
        dir: join(info.dir, 'logs'),
        env: { ...env, ...placeEnv(role, place), CARILLON_WORKER_URL: `http://127.0.0.1:${workerPort[name]}` },
        port: place.port,
        workerPort: place.port,
        restateAdminUrl: info.restateAdminUrl,
        program,
        readyWithinMs,
      })
      running.push(started)
      return started
    }
    return {
      info,
      accounts: await connectAccounts(info, (args, input) => stack.run(args, input)),
      workerUrls: { old: `http://127.0.0.1:${workerPort.old}`, new: `http://127.0.0.1:${workerPort.new}` },
      /** By the command of this version. */
      async connect(platform: string): Promise<string> {
        const account = await openAccount(info.simulatorUrl, platform, 'upgrade')
        const args = ['connect', '--json', '--workspace', info.workspaceId]
        const [connected] = listOf(await runCarillon(args, { env, input: JSON.stringify([account]) }))
        return textOf(fieldsOf(connected)['slug']) ?? ''
      },
      migrate: ({ program }: Release) => runCarillon(['migrate', '--json'], { env, program }),
      /** The addresses by this version's command. */
      workerAddresses: async () =>
        listOf(fieldsOf(await runCarillon(['workers', '--json'], { env }))['addresses']) as WorkerAddress[],
      /** Starts the API at this place. One that runs there is stopped first, as in a deploy. */
      async replaceApi(at: number, release: Release): Promise<void> {
        await apis[at]?.stop()
        apis[at] = await start('api', release, at)
      },
      async startWorker(at: number, release: Release): Promise<void> {
        workers[release.name][at] = await start('worker', release, at)
      },
      async stopWorker(at: number, { name }: Release): Promise<void> {
        await workers[name][at]?.stop()
      },
      workersEach,
      /** Processes that should run and do not. */
      findCrashed: (current: Release) =>
        [...apis, ...workers[current.name]].filter((each) => !each.isAlive()).map(({ name }) => name),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function placeEnv(role: 'api' | 'worker', { port, healthPort }: Place): CarillonEnv {
  const own = role === 'api' ? { CARILLON_PORT: String(port) } : { CARILLON_WORKER_PORT: String(port) }
  return { ...own, CARILLON_HEALTH_PORT: String(healthPort) }
}

async function freePlaces(count: number): Promise<Place[]> {
  const free = await freePorts(2 * count)
  return Array.from({ length: count }, (_, at) => ({ port: free[2 * at] ?? 0, healthPort: free[2 * at + 1] ?? 0 }))
}

/** Several accounts on each platform: X accepts 100 posts in 15 minutes for each, and a drill on a busy machine takes long. */
async function connectAccounts(
  info: StackInfo,
  run: (args: readonly string[], input: string) => Promise<unknown>,
): Promise<Account[]> {
  const wanted = platforms.flatMap((platform) =>
    Array.from({ length: accountsEach }, (_, n) => ({ platform, handle: `upgrade${n}` })),
  )
  const opened = await Promise.all(wanted.map(({ platform, handle }) => openAccount(info.simulatorUrl, platform, handle)))
  const connected = await run(['connect', '--json', '--workspace', info.workspaceId], JSON.stringify(opened))
  return listOf(connected).map((each, n) => ({
    platform: wanted[n]?.platform ?? '',
    handle: opened[n]?.handle ?? '',
    slug: textOf(fieldsOf(each)['slug']) ?? '',
  }))
}
