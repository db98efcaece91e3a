import type { PostView } from '@carillon/simulator'
import type { StackInfo } from '@carillon/stack'
import type { Submit } from '../chaos/stack/simulator-control.ts'
import { makePng, fileOf, formOf } from '../support/files.ts'
import { bodyOf, findFault, versionIn, versionOf, type EditedPost, type Parts, type PostAnswer } from './edited-post.ts'

type Reply = {
  status: number
  etag: string
  data: PostAnswer & { id?: string; uploadId?: string }
  code: string
  current: PostAnswer | null
}

/** `lost` have no answer, because their process was killed; `lostAndStored` are those of them that took effect all the same. */
type Edits = { sent: number; answered: number; stale: number; tooLate: number; lost: number; lostAndStored: number }

/** Writes down what it did, and everything that was not as it must be. */
export type Editor = {
  posts: EditedPost[]
  edits: Edits
  faults: string[]
  looks(): number
  create(leadMs: number): Promise<void>
  /** Sends the next version to this process, on the condition that the post is as it was read. A broken connection is no fault. */
  edit(post: EditedPost, baseUrl: string): Promise<void>
  /** Reads a post from the process that is never killed, and judges it. */
  look(post: EditedPost): Promise<{ status: string; etag: string; text: string | null }>
  /** Compares a finished post with what the platforms have. */
  compare(post: EditedPost): Promise<void>
}

/** `accounts`: groups of three connections. Posts use them in turns, because platforms limit how many posts an account may send. */
export async function createEditor(
  { baseUrl, apiKey, workspaceId, simulatorUrl }: StackInfo,
  accounts: readonly (readonly string[])[],
): Promise<Editor> {
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId }
  const send = async (method: string, url: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply> => {
    const isForm = body instanceof FormData
    const type = body === undefined || isForm ? {} : { 'content-type': 'application/json' }
    const payload = body === undefined || isForm ? body : JSON.stringify(body)
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...type, ...more },
      ...(payload !== undefined && { body: payload }),
    })
    const { data, error } = (await response.json()) as { data: Reply['data']; error?: { code: string; current?: PostAnswer } }
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      data,
      code: error?.code ?? '',
      current: error?.current ?? null,
    }
  }
  const upload = async (seed: number) => {
    const { data } = await send('POST', `${baseUrl}/media/upload`, formOf(['file', fileOf(makePng(seed), `${seed}.png`)]))
    return data.id ?? ''
  }
  const medias = await Promise.all([1, 2, 3].map(upload))
  const posts: EditedPost[] = []
  const edits: Edits = { sent: 0, answered: 0, stale: 0, tooLate: 0, lost: 0, lostAndStored: 0 }
  const faults: string[] = []
  let looks = 0
  let created = 0

  const judge = (post: EditedPost, answer: PostAnswer, floor: number) => {
    const fault = findFault(post, answer, { floor, answeredMs: Date.now() })
    if (fault !== null) faults.push(fault)
    post.seen = Math.max(post.seen, versionIn(post, answer.text) ?? 0)
  }
  const look: Editor['look'] = async (post) => {
    const floor = post.seen
    const { status, etag, data, code } = await send('GET', `${baseUrl}/content/${post.id}`)
    looks++
    if (status !== 200) throw new Error(`${post.prefix} could not be read: ${status} ${code}`)
    judge(post, data, floor)
    return { status: data.status, etag, text: data.text }
  }
  return {
    posts,
    edits,
    faults,
    looks: () => looks,
    look,
    async create(leadMs) {
      const prefix = `edit-${++created}-`
      const parts: Parts = { connections: accounts[created % accounts.length] ?? [], medias }
      const dueMs = Date.now() + leadMs
      const body = { ...bodyOf(versionOf({ prefix, parts }, 1)), scheduledAt: new Date(dueMs).toISOString() }
      const { status, data, code } = await send('POST', `${baseUrl}/content/photos`, body)
      if (data?.uploadId === undefined) throw new Error(`${prefix} was not accepted: ${status} ${code}`)
      posts.push({ id: data.uploadId, prefix, parts, dueMs, sent: 1, seen: 1 })
    },
    async edit(post, victimUrl) {
      const { etag } = await look(post)
      const version = ++post.sent
      edits.sent++
      const body = { ...bodyOf(versionOf(post, version)), keepSchedule: true }
      const reply = await send('PATCH', `${victimUrl}/content/${post.id}`, body, { 'if-match': etag }).catch(() => null)
      if (reply === null) {
        edits.lost++
        await look(post)
        if (post.seen >= version) edits.lostAndStored++
      } else if (reply.status === 200) {
        edits.answered++
        judge(post, reply.data, version)
      } else if (reply.status === 412 && reply.current) {
        edits.stale++
        judge(post, reply.current, post.seen)
      } else if (reply.status === 409 && Date.now() >= post.dueMs) edits.tooLate++
      else faults.push(`${post.prefix}: an edit was answered ${reply.status} ${reply.code}`)
    },
    async compare(post) {
      const { text, status } = await look(post)
      const read = async (path: string) => (await fetch(`${simulatorUrl}/_control/${path}`)).json()
      const { submits } = (await read(`submits?prefix=${post.prefix}`)) as { submits: Submit[] }
      const found = submits.map((submit) => `${submit.platform} ${submit.outcome} ${submit.text}`).toSorted()
      const wanted = versionOf(post, versionIn(post, text) ?? 0)
      const right = wanted.connections.map((slug) => `${slug.split('-')[0]} created ${wanted.text}`).toSorted()
      if (status !== 'completed' || found.join() !== right.join())
        faults.push(`${post.prefix} is ${status} with ${text}; the platforms were asked: ${found.join(', ') || 'nothing'}`)
      for (const { platform, media } of (await read(`posts?text=${wanted.text}`)) as PostView[]) {
        const alts = media.map(({ alt }) => alt).join()
        if (alts !== wanted.alts.join()) faults.push(`${wanted.text} has a file with "${alts}" on ${platform}`)
      }
    },
  }
}
