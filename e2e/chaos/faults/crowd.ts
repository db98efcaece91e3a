import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount, type NewConnection } from '@carillon/stack'
import type { Api } from '../client/api.ts'
import { parsePost, type ApiPost } from '../client/api-post.ts'
import { fieldsOf, listOf, textOf } from '../client/json.ts'
import type { StackFault } from '../plan/plan-stack-faults.ts'
import type { SimulatorControl } from '../stack/simulator-control.ts'

/** A third tenant, whose posts must not make those of others late: thousands at one moment, or on servers that do not answer. */
export type Crowd = {
  /** Creates the posts. With a tarpit their servers do not answer for this long. */
  send(seed: number, fault: Pick<StackFault, 'kind' | 'forMs'>): Promise<string | null>
  /** The texts that were accepted, and the posts that the API has of them. */
  posts(seed: number): Promise<{ texts: readonly string[]; posts: ApiPost[] }>
}

type Connect = (connections: readonly NewConnection[]) => Promise<unknown>
type Options = { api: Api; simulator: SimulatorControl; simulatorUrl: string; connect: Connect }

const accountsEach = 12
const sizes = { backlog: 2000, tarpit: 120 }
/** Requests at the same time. */
const clients = 16
/** By then all are created, so that all are due at once. */
const dueInMs = 25_000
const pageSize = 100

export async function openCrowd(seeds: readonly number[], { api, simulator, simulatorUrl, connect }: Options): Promise<Crowd> {
  const accounts = new Map<number, { handle: string; slug: string }[]>()
  for (const seed of seeds) {
    const handles = Array.from({ length: accountsEach }, (_, n) => `crowd${seed}n${n}`)
    const opened: NewConnection[] = []
    for (const handle of handles) opened.push(await openAccount(simulatorUrl, 'mastodon', handle))
    const slugs = listOf(await connect(opened)).map((each) => textOf(fieldsOf(each)['slug']) ?? '')
    accounts.set(
      seed,
      handles.map((handle, n) => ({ handle, slug: slugs[n] ?? '' })),
    )
  }
  const accepted = new Map<number, string[]>()
  const create = async (seed: number, count: number, scheduledAt: string): Promise<void> => {
    const texts: string[] = []
    accepted.set(seed, texts)
    const slugs = accounts.get(seed) ?? []
    const waiting = Array.from({ length: count }, (_, n) => n)
    const work = async () => {
      for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
        const text = `${crowdPrefix(seed)}${n} post`
        const body = { text, connections: [slugs[n % accountsEach]?.slug], scheduledAt }
        const { status } = await api({ method: 'POST', path: '/content/text', body, key: `${crowdPrefix(seed)}${n}` })
        // What comes too late for its time is refused.
        if (status < 300) texts.push(text)
      }
    }
    await Promise.all(Array.from({ length: clients }, work))
  }
  return {
    async send(seed, { kind, forMs }) {
      const isTarpit = kind === 'tarpit'
      const rules: string[] = []
      const hang = { operation: 'any', fault: { kind: 'hang', commit: true } }
      if (isTarpit)
        for (const { handle } of accounts.get(seed) ?? [])
          rules.push(await simulator.addFault({ platform: 'mastodon', handle, ...hang }))
      const count = isTarpit ? sizes.tarpit : sizes.backlog
      const dueMs = Date.now() + (isTarpit ? dueInMs / 10 : dueInMs)
      await create(seed, count, new Date(dueMs).toISOString())
      await sleep(Math.max(0, dueMs - Date.now()) + forMs)
      for (const rule of rules) await simulator.removeFault(rule)
      const sent = accepted.get(seed)?.length ?? 0
      console.log(`seed ${seed}: the crowd has ${sent} posts (${kind})`)
      return sent > 0 ? null : 'none of its posts was accepted in time'
    },
    async posts(seed) {
      const texts = accepted.get(seed) ?? []
      return { texts, posts: texts.length > 0 ? await listAll(api, seed) : [] }
    },
  }
}

async function listAll(api: Api, seed: number): Promise<ApiPost[]> {
  const posts: ApiPost[] = []
  for (let page = 1; ; page++) {
    const path = `/content?limit=${pageSize}&page=${page}&search=${crowdPrefix(seed)}`
    const { data } = await api({ method: 'GET', path })
    const rows = listOf(fieldsOf(data)['data'] ?? data).map(parsePost)
    posts.push(...rows)
    if (rows.length < pageSize) return posts
  }
}

export function crowdPrefix(seed: number): string {
  return `crowd-${seed}-`
}
