import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { upStack, type Stack } from '@carillon/stack'

type Options = { name: string; workers?: number }

export type PublishingStack = {
  stack: Stack
  /** Creates a post of one channel and returns its id. */
  createPost(connection: string, text: string, dueInMs?: number): Promise<string>
  /** The status of the only channel of a post. */
  statusOf(postId: string): Promise<string>
  /** How often a text is on a platform, read from the simulator. */
  countPublished(platform: string, text: string): Promise<number>
  addDelay(platform: string, handle: string, ms: number): Promise<void>
  stop(): Promise<void>
}

/** A whole installation with separate API and worker processes, for tests of what happens when processes come and go. */
export async function startPublishingStack({ name, workers }: Options): Promise<PublishingStack> {
  const dir = join(tmpdir(), `carillon-${name}-${process.pid}`)
  const stack = await upStack({
    dir,
    fsync: false,
    ...(workers === undefined ? { roles: ['api', 'worker'] as const } : { workers }),
  })
  const { info } = stack
  const headers = {
    authorization: `Bearer ${info.apiKey}`,
    'x-workspace-id': info.workspaceId,
    'content-type': 'application/json',
  }
  const control = async (path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${info.simulatorUrl}/_control${path}`, {
      ...init,
      headers: { 'content-type': 'application/json' },
    })
    if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${path}`)
    return response.json()
  }
  return {
    stack,
    async createPost(connection, text, dueInMs) {
      const schedule = dueInMs === undefined ? {} : { scheduledAt: new Date(Date.now() + dueInMs).toISOString() }
      const response = await fetch(`${info.baseUrl}/content/text`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ connections: [connection], text, async: true, ...schedule }),
      })
      const answer = (await response.json()) as { data: { requestId: string } }
      if (!response.ok) throw new Error(`creating a post failed: ${response.status} ${JSON.stringify(answer)}`)
      return answer.data.requestId
    },
    async statusOf(postId) {
      const response = await fetch(`${info.baseUrl}/content/${postId}`, { headers })
      const answer = (await response.json()) as { data: { channels: { result: { status: string } }[] } }
      return answer.data.channels[0]?.result.status ?? 'none'
    },
    async countPublished(platform, text) {
      const posts = (await control(`/posts?platform=${platform}`)) as { text: string }[]
      return posts.filter((post) => post.text === text).length
    },
    async addDelay(platform, handle, ms) {
      await control('/faults', { platform, handle, operation: 'submit', fault: { kind: 'delay', ms, when: 'after' } })
    },
    async stop() {
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
