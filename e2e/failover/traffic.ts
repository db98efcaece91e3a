import { setTimeout as sleep } from 'node:timers/promises'
import type { StackInfo } from '@carillon/stack'
import type { Api } from '../chaos/client/api.ts'
import { fieldsOf, textOf } from '../chaos/client/json.ts'

/** A post of a drill: one channel on one platform. */
export type DrillPost = {
  text: string
  platform: string
  dueMs: number
  /** Null until the API has accepted the post. */
  accepted: { id: string; atMs: number } | null
  /** The answer, if the API refused the post. */
  refusal: string | null
}

export type Traffic = {
  prefix: string
  posts: readonly DrillPost[]
  /** Creates posts ahead of time, one due every `everyMs` from `fromMs` on. Resolves when all are accepted. */
  schedule(plan: { count: number; fromMs: number; everyMs: number }): Promise<void>
  /** Creates a post every 300 ms, due in 2.5 s, until it is stopped. */
  start(): void
  /** Creates no further posts and waits until every request has a definite answer. */
  stop(): Promise<void>
}

const platforms = ['bluesky', 'linkedin', 'mastodon', 'threads', 'x'] as const
const everyMs = 300
const leadMs = 2500

/** Clients that create posts and repeat each request, with the same Idempotency-Key, until its answer is definite. */
export function createTraffic(info: StackInfo, api: Api, name: string): Traffic {
  const prefix = `drill-${name}-`
  const posts: DrillPost[] = []
  const requests: Promise<void>[] = []
  let running: { isStopped: boolean; done: Promise<void> } | null = null

  const create = (dueMs: number): Promise<void> => {
    const platform = platforms[posts.length % platforms.length] ?? 'bluesky'
    const connection = info.connections.find((slug) => slug.startsWith(`${platform}-`)) ?? ''
    const post: DrillPost = { text: `${prefix}${posts.length} post`, platform, dueMs, accepted: null, refusal: null }
    posts.push(post)
    const body = { text: post.text, connections: [connection], scheduledAt: new Date(dueMs).toISOString() }
    const request = api({ method: 'POST', path: '/content/text', body, key: post.text }).then((answer) => {
      const id = textOf(fieldsOf(answer.data)['requestId'])
      if (answer.status < 300 && id !== null) post.accepted = { id, atMs: Date.now() }
      else post.refusal = JSON.stringify(answer.body)
    })
    requests.push(request)
    return request
  }
  return {
    prefix,
    posts,
    async schedule({ count, fromMs, everyMs: apartMs }) {
      const dues = Array.from({ length: count }, (_, n) => Date.now() + fromMs + n * apartMs)
      await Promise.all(dues.map(create))
    },
    start() {
      const state = { isStopped: false, done: Promise.resolve() }
      state.done = (async () => {
        while (!state.isStopped) {
          void create(Date.now() + leadMs)
          await sleep(everyMs)
        }
      })()
      running = state
    },
    async stop() {
      if (running) running.isStopped = true
      await running?.done
      running = null
      await Promise.all(requests)
    },
  }
}
