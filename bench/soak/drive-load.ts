import { setTimeout as sleep } from 'node:timers/promises'
import { makePngStart } from '../fair/make-png.ts'
import { flows } from './flows.ts'
import type { Ledger } from './create-ledger.ts'
import type { SoakWorkspace } from './set-up-workspaces.ts'
import type { SoakClient } from './create-soak-client.ts'

type Options = {
  client: SoakClient
  ledger: Ledger
  workspaces: readonly SoakWorkspace[]
  postsPerSecond: number
  stop: AbortSignal
}

/** A scheduled post is due this long after its creation: enough for the longest flow, also on a busy machine. */
const leadMs = 25_000
const spreadMs = 20_000
const syncEveryMs = 300_000
/** On how many accounts the posts are, in turn: two on average. */
const targetCounts = [1, 2, 3, 2]

/** Sends the mixed load at a constant rate until the signal, then waits for the posts that are under way in this process. */
export async function driveLoad({
  client,
  ledger,
  workspaces,
  postsPerSecond,
  stop,
}: Options): Promise<{ posts: number; errors: string[] }> {
  const picture = await makePngStart(640, 480)
  const libraries = workspaces.map((): string[] => [])
  const pending = new Set<Promise<void>>()
  const errors: string[] = []
  const start = (work: Promise<unknown>) => {
    const one = work.then(
      () => {},
      (error: unknown) => void errors.push(String(error)),
    )
    pending.add(one)
    void one.then(() => pending.delete(one))
  }
  const startOne = (n: number) => {
    const at = n % workspaces.length
    const [workspace, flow] = [workspaces[at], flows[Math.floor(n / workspaces.length) % flows.length]]
    if (!workspace || !flow) return
    const dueAtMs = Date.now() + leadMs + ((n * 7919) % spreadMs)
    const targets = pickTargets(workspace, n)
    start(flow({ client, ledger, workspace, targets, text: `soak ${n}`, dueAtMs, picture, library: libraries[at] ?? [] }))
  }

  const readsDone = readNowAndThen({ client, ledger, workspaces, stop })
  const begin = performance.now()
  let n = 0
  for (; !stop.aborted; n++) {
    await sleep(Math.max(0, begin + (n * 1000) / postsPerSecond - performance.now()))
    startOne(n)
  }
  await Promise.all([readsDone, ...pending])
  return { posts: n, errors }
}

/** Different accounts for each post, one of each platform first, so that all accounts get the same number of posts. */
function pickTargets({ targets }: SoakWorkspace, n: number) {
  const count = targetCounts[n % targetCounts.length] ?? 1
  const perPlatform = targets.length / 4
  const round = Math.floor(n / 4)
  return Array.from({ length: count }, (_, k) => targets[((n + k) % 4) * perPlatform + ((round + k) % perPlatform)]).filter(
    (target) => target !== undefined,
  )
}

type Readers = Pick<Options, 'client' | 'ledger' | 'workspaces' | 'stop'>

/** What people and programs look at: a page of posts, the status of a post, analytics; and sometimes a request for fresh figures. */
async function readNowAndThen({ client, ledger, workspaces, stop }: Readers): Promise<void> {
  let syncAtMs = Date.now() + syncEveryMs / 2
  for (let n = 0; !stop.aborted; n++) {
    await sleep(1000, undefined, { signal: stop }).catch(() => {})
    const workspace = workspaces[n % workspaces.length]
    if (!workspace || stop.aborted) continue
    const path = pathOf(n, workspace, ledger)
    if (path !== null) await client.call(workspace, 'GET', path)
    if (Date.now() < syncAtMs) continue
    syncAtMs += syncEveryMs / workspaces.length
    await client.call(workspace, 'POST', '/analytics/sync')
  }
}

function pathOf(n: number, { id }: SoakWorkspace, { entries }: Ledger): string | null {
  const day = (beforeDays: number) => new Date(Date.now() - beforeDays * 86_400_000).toISOString().slice(0, 10)
  if (n % 3 === 0) return '/content?limit=20'
  if (n % 3 === 1) return `/analytics?from=${day(30)}&to=${day(0)}&granularity=day`
  const post = entries.slice(-200).find((entry) => entry.workspaceId === id && entry.id !== null && entry.state === 'expected')
  return post?.id ? `/content/status?requestId=${post.id}` : null
}
