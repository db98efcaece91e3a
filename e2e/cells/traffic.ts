import { setTimeout as sleep } from 'node:timers/promises'
import { CarillonError, createCarillon, type Carillon } from '@carillon/sdk'
import type { DrillPost, Traffic as PostTraffic } from '../failover/traffic.ts'
import { makePng } from '../support/files.ts'

type Access = { url: string; apiKey: string; workspaceId: string; connections: readonly string[] }

export type Traffic = PostTraffic & {
  carillon: Carillon
  /** Calls of the SDK that failed although it repeated them. The drill repeats them with the same key. */
  failures: readonly string[]
  /** The longest time between two answered requests. */
  pauseMs(): number
}

const platforms = ['bluesky', 'linkedin', 'mastodon', 'threads', 'x'] as const
const everyMs = 300
const leadMs = 2_500
const readEveryMs = 100

/** Creates and reads posts through the SDK and the router. Every third post has a photo. */
export async function createTraffic({ url, apiKey, workspaceId, connections }: Access, name: string): Promise<Traffic> {
  const prefix = `drill-${name}-`
  const carillon = createCarillon({ baseUrl: `${url}/api`, apiKey, workspaceId })
  const photo = (await carillon.media.uploadFile(new File([makePng(7)], 'bell.png'))).id
  const posts: DrillPost[] = []
  const failures: string[] = []
  const begun: Promise<void>[] = []
  const answeredAtMs: number[] = []
  let isStopped = false

  const create = (dueMs: number): Promise<void> => {
    const n = posts.length
    const platform = platforms[n % platforms.length] ?? 'bluesky'
    const connection = connections.find((slug) => slug.startsWith(`${platform}-`)) ?? ''
    const post: DrillPost = { text: `${prefix}${n} post`, platform, dueMs, accepted: null, refusal: null }
    posts.push(post)
    const body = { text: post.text, connections: [connection], scheduledAt: new Date(dueMs).toISOString() }
    const send = () =>
      n % 3 === 0
        ? carillon.content.createPhotos({ ...body, medias: [photo] }, { idempotencyKey: post.text })
        : carillon.content.createText(body, { idempotencyKey: post.text })
    const request = repeat(send, failures).then((created) => {
      post.accepted = { id: created.requestId, atMs: Date.now() }
    })
    begun.push(request.catch((error: unknown) => void (post.refusal = String(error))))
    return request
  }
  const read = async () => {
    while (!isStopped) {
      // Not repeated by the SDK: the drill measures how long no request is answered.
      const answered = await fetch(`${url}/api/content?limit=1`, {
        headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId },
      }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (answered) answeredAtMs.push(Date.now())
      await sleep(readEveryMs)
    }
  }
  const write = async () => {
    while (!isStopped) {
      void create(Date.now() + leadMs).catch(() => {})
      await sleep(everyMs)
    }
  }
  return {
    carillon,
    prefix,
    posts,
    failures,
    pauseMs: () => Math.max(0, ...answeredAtMs.slice(1).map((atMs, n) => atMs - (answeredAtMs[n] ?? atMs))),
    async schedule({ count, fromMs, everyMs: apartMs }) {
      const beganMs = Date.now()
      await Promise.all(Array.from({ length: count }, (_, n) => create(beganMs + fromMs + n * apartMs)))
    },
    start: () => void begun.push(read(), write()),
    async stop() {
      isStopped = true
      // Requests are added while the loops end.
      for (let n = 0; n < begun.length; n++) await begun[n]
    },
  }
}

const giveUpAfterMs = 120_000

/** Repeats with the same Idempotency-Key until the answer is definite, as a careful client does. */
async function repeat<T>(send: () => Promise<T>, failures: string[]): Promise<T> {
  const endMs = Date.now() + giveUpAfterMs
  for (;;) {
    try {
      return await send()
    } catch (error) {
      failures.push(String(error))
      const isFinal = error instanceof CarillonError && !error.retryable
      if (isFinal || Date.now() > endMs) throw error
      await sleep(300)
    }
  }
}
