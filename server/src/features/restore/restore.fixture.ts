import { addComment } from '../publishing/add-comment.fixture.ts'
import { connectors, type Connector, type Found } from '@carillon/connectors'
import type { ChannelState } from '@carillon/core'
import { openServer } from '../../../test/open-server.ts'
import { startDatabase } from '../../../test/start-database.ts'
import { addConnections } from '../connections/add-connections.ts'
import { postRoutes } from '../posts/post.routes.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'

type Question = { text: string; known: ReadonlySet<string>; window: { fromMs: number; untilMs: number } }
type Answer = (question: Question) => Found

const minuteMs = 60_000

/** A workspace with a Mastodon and a Threads account on a real database. The platforms answer what the test says; none may be sent to. */
export async function openRestoredWorkspace() {
  const database = await startDatabase()
  const platform = { answer: (() => ({ state: 'unknown' })) as Answer, sends: 0 }
  const standIn = (connector: Connector): Connector => ({
    ...connector,
    find: async (_client, { draft, window, knownPostIds }) => platform.answer({ text: draft.text, window, known: knownPostIds }),
    submit: async () => {
      platform.sends++
      throw new Error('nothing may be sent')
    },
  })
  const server = openServer({
    database,
    api: [postRoutes],
    replace: {
      connectors: { ...connectors, mastodon: standIn(connectors.mastodon), threads: standIn(connectors.threads) },
      engine: { wakeWorkers() {}, send: async () => {}, waitFor: async () => {} },
    },
  })
  const { ctx, app } = server
  const { system } = ctx.db
  const { workspaceId, apiKey } = await setUpWorkspace(ctx, { workspace: 'Tower', email: 'ringer@example.com' })
  const account = (handle: string) => ({ handle, accountId: handle, displayName: handle, credentials: { accessToken: 't' } })
  await addConnections(ctx, workspaceId, [
    { ...account('tower'), platform: 'mastodon', instanceUrl: 'https://social.example' },
    { ...account('bell'), platform: 'threads', instanceUrl: null },
  ])
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId }
  return {
    ctx,
    platform,
    workspaceId,
    /** A post that was created an hour ago and was due that many minutes ago; negative for the future. Its channels are in this state. */
    async addPost({ text, dueAgo, state = 'scheduled', slugs = ['mastodon-tower'], comment, thread }: NewPost): Promise<string> {
      const payload = {
        text,
        connections: slugs,
        scheduledAt: new Date(Date.now() + 60 * minuteMs).toISOString(),
        ...(comment && { firstComment: comment }),
        ...(thread && { thread: thread.map((each) => ({ text: each })) }),
      }
      const reply = await app.inject({ method: 'POST', url: '/api/content/text', headers, payload })
      if (reply.statusCode !== 201) throw new Error(reply.body)
      const id: string = reply.json().data.uploadId
      const dueAt = new Date(Date.now() - dueAgo * minuteMs)
      const createdAt = new Date(Date.now() - 60 * minuteMs)
      await system.updateTable('post').where('id', '=', id).set({ created_at: createdAt, scheduled_at: dueAt }).execute()
      const recoverAt = state === 'scheduled' ? null : new Date(Date.now() + 60 * minuteMs)
      const change = { state, due_at: dueAt, dispatch_at: dueAt, recover_at: recoverAt }
      await system.updateTable('channel').where('post_id', '=', id).set(change).execute()
      if (comment && state === 'published')
        await addComment(system, { postId: id, slug: slugs[0] ?? '', state: 'scheduled', dueAt })
      return id
    },
    async seePost(id: string): Promise<SeenPost> {
      const reply = await app.inject({ method: 'GET', url: `/api/content/${id}`, headers })
      return reply.json().data
    },
    request: (path: string, payload: object = {}) =>
      app.inject({ method: 'POST', url: `/api/content/${path}`, headers, payload }),
    states: async (postId: string) =>
      system.selectFrom('channel').where('post_id', '=', postId).orderBy('position').selectAll().execute(),
    comments: (postId: string) =>
      system.selectFrom('part').where('post_id', '=', postId).where('number', '=', 1).selectAll().execute(),
    events: () => system.selectFrom('outbox_event').selectAll().orderBy('id').execute(),
    /** Makes every doubted channel due to be asked about again. */
    askAgain: () =>
      system
        .updateTable('part')
        .where('state', '=', 'doubted')
        .set({ recover_at: new Date(Date.now() - 1000) })
        .execute(),
    async close() {
      await server.close()
      await database.stop()
    },
  }
}

type NewPost = { text: string; dueAgo: number; state?: ChannelState; slugs?: string[]; comment?: string; thread?: string[] }

type SeenPost = {
  status: string
  channels: {
    id: string
    result: {
      status: string
      postId: string | null
      error: { code: string } | null
      warnings: string[]
      comment?: string
      parts?: { status: string }[]
    }
  }[]
}
