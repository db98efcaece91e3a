import { setTimeout as sleep } from 'node:timers/promises'
import { createCarillon, type Carillon } from '@carillon/sdk'
import type { StackInfo } from '@carillon/stack'
import { makePng } from '../support/files.ts'
import type { Account } from './start-upgrade-stack.ts'

/** A post that the API has accepted. */
export type SentPost = {
  text: string
  accounts: Account[]
  /** When it had to be published. For a post without a time: when the API had answered. */
  dueMs: number
  /** How often a request has given it a time. */
  schedules: number
}

export type Traffic = {
  posts: readonly SentPost[]
  /** Requests that failed although the client repeated them. */
  failures: readonly string[]
  requests: { attempts: number; repeated: number }
  stop(): Promise<void>
}

export const textPrefix = 'upgrade-'
const everyMs = 500
const readEveryMs = 1000
/** Far enough for a replacement to happen in between, and near enough that posts are due all the time. */
const dueInMs = { from: 4_000, to: 14_000 }

/** Creates posts of several kinds through the SDK, and reads them, until it is stopped. */
export async function startTraffic(info: StackInfo, accounts: readonly Account[]): Promise<Traffic> {
  const requests = { attempts: 0, repeated: 0 }
  const posts: SentPost[] = []
  const failures: string[] = []
  const carillon = createCarillon({
    baseUrl: info.baseUrl,
    apiKey: info.apiKey,
    workspaceId: info.workspaceId,
    fetch: (request) => countedFetch(request, requests),
  })
  const photo = (await carillon.media.uploadFile(new File([makePng(1)], 'one.png'))).id
  const begun: Promise<void>[] = []
  let isStopped = false
  const attempt = (what: string, work: () => Promise<void>) =>
    begun.push(work().catch((error: unknown) => void failures.push(`${new Date().toISOString()} ${what}: ${String(error)}`)))

  const write = async () => {
    for (let n = 0; !isStopped; n++) {
      attempt(`post ${n}`, async () => void posts.push(await createPost(carillon, { n, accounts, photo })))
      await sleep(everyMs)
    }
  }
  const read = async () => {
    while (!isStopped) {
      attempt('list', async () => void (await carillon.content.list({ limit: 20 })))
      await sleep(readEveryMs)
    }
  }
  const loops = [write(), read()]
  return {
    posts,
    failures,
    requests,
    async stop() {
      isStopped = true
      await Promise.all(loops)
      await Promise.all(begun)
    },
  }
}

type NewPost = { n: number; accounts: readonly Account[]; photo: string }

/** In turns: a post for now, a scheduled one, a photo with a time, and one that is moved to another time. */
async function createPost(carillon: Carillon, { n, accounts, photo }: NewPost): Promise<SentPost> {
  const text = `${textPrefix}${n}.`
  const kind = (['now', 'scheduled', 'photo', 'moved'] as const)[n % 4] ?? 'now'
  // Threads publishes in two steps with a wait in between, so a post for now is late there in any case.
  const possible = accounts.filter(({ platform }) => kind !== 'now' || platform !== 'threads')
  const chosen = [possible[n % possible.length], possible[(n * 7 + 5) % possible.length]].filter(
    (account) => account !== undefined,
  )
  const used = [...new Set(chosen)]
  const connections = used.map(({ slug }) => slug)
  const dueMs = Date.now() + dueInMs.from + ((n * 617) % (dueInMs.to - dueInMs.from))
  const scheduledAt = new Date(dueMs).toISOString()
  switch (kind) {
    case 'now':
      await carillon.content.createText({ text, connections, async: true })
      return { text, accounts: used, dueMs: Date.now(), schedules: 0 }
    case 'scheduled':
      await carillon.content.createText({ text, connections, scheduledAt })
      return { text, accounts: used, dueMs, schedules: 1 }
    case 'photo':
      await carillon.content.createPhotos({ text, connections, medias: [photo], scheduledAt })
      return { text, accounts: used, dueMs, schedules: 1 }
    case 'moved': {
      const far = new Date(dueMs + 3_600_000).toISOString()
      const { uploadId } = await carillon.content.createText({ text, connections, scheduledAt: far })
      await carillon.content.reschedule(uploadId, { scheduledAt })
      return { text, accounts: used, dueMs, schedules: 2 }
    }
  }
}

async function countedFetch(request: Request, requests: Traffic['requests']): Promise<Response> {
  requests.attempts++
  try {
    const response = await fetch(request)
    if (response.status >= 500) requests.repeated++
    return response
  } catch (error) {
    requests.repeated++
    throw error
  }
}
