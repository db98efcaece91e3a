import type { Connector, Draft, Found, Outcome, Sent, Staged } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import { openServer } from '../../../test/open-server.ts'
import type { TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { addConnections } from '../connections/add-connections.ts'
import { postRoutes } from '../posts/post.routes.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { claimDue } from './dispatch/claim.store.ts'
import type { Batch } from './jobs.ts'

/** A connector whose platform is the test itself. */
export type TestPlatform = {
  submit?: (draft: Draft<unknown>, key: string) => Promise<Outcome>
  find?: (sent: Sent<unknown>) => Promise<Found>
  check?: (reference: string) => Promise<Outcome>
  /** Posts are staged if the test has this. */
  stage?: (draft: Draft<unknown>) => Promise<Staged>
  /** Without one, the token cannot be renewed. */
  refreshToken?: string
  /** That of another workspace, or a new one. */
  accountId?: string
  manifest?: Partial<Connector['manifest']>
  commentAfterMs?: number
}

export type TestPublisher = Awaited<ReturnType<typeof openPublisher>>

/** A workspace with one connection per platform, on a real database; jobs are collected instead of being enqueued. */
export async function openPublisher(database: TestDatabase, platforms: Partial<Record<Platform, TestPlatform>>) {
  const jobs: Job[] = []
  const sent: string[] = []
  let shiftMs = 0
  let ending = Promise.resolve()
  const engine: Context['engine'] = {
    wakeWorkers: () => {},
    send: async (job) => void jobs.push(job),
    waitFor: () => ending,
  }
  const server = openServer({ database, api: [postRoutes], replace: { engine, nowMs: () => Date.now() + shiftMs } })
  const connectors = { ...server.ctx.connectors }
  for (const [platform, { submit, find, check, stage, manifest, commentAfterMs = 0 }] of Object.entries(platforms) as [
    Platform,
    TestPlatform,
  ][]) {
    const real = connectors[platform]
    connectors[platform] = {
      ...real,
      manifest: { ...real.manifest, ...manifest },
      needsStage: () => stage !== undefined,
      commentAfterMs,
      ...(stage && { stage: (_client, draft) => stage(draft) }),
      submit: async (_client, draft, _staged, { key }) => {
        sent.push(draft.text)
        return submit ? submit(draft, key) : { state: 'published', postId: newUuid(), postUrl: null }
      },
      ...(check && { check: (_client, reference) => check(reference) }),
      ...(find && { find: (_client, question) => find(question) }),
    }
  }
  Object.assign(server.ctx, { connectors })
  const { ctx, app } = server
  const { workspaceId, apiKey } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const accounts = Object.entries(platforms).map(([platform, { refreshToken, accountId = newUuid() }]) => ({
    platform: platform as Platform,
    handle: newUuid().slice(0, 8),
    accountId,
    instanceUrl: platform === 'mastodon' ? 'https://social.example' : null,
    credentials: { accessToken: 't', ...(refreshToken !== undefined && { refreshToken }) },
  }))
  const connections = await addConnections(ctx, workspaceId, accounts)
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId }
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    (await app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })).json()
  return {
    ...server,
    workspaceId,
    connections,
    jobs,
    sent,
    call,
    /** Moves the clock of the program, not that of the database. */
    pass: (ms: number) => void (shiftMs += ms),
    /** From now on no run of a job ends, until the returned function is called. */
    holdRuns(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      ending = promise
      return resolve
    },
    async create(text: string, more: object = {}): Promise<string> {
      const { data, error } = await call('POST', '/content/text', {
        text,
        connections: connections.map(({ slug }) => slug),
        ...more,
      })
      if (error) throw new Error(JSON.stringify(error))
      return data.uploadId
    },
    /** Claims everything that is due and gives it as batches, one per platform. */
    async claim(): Promise<Batch[]> {
      const claimed = (await claimDue(ctx.db.system, { horizonMs: 0, limit: 1000 })).filter(
        (each) => each.workspaceId === workspaceId,
      )
      return [...Map.groupBy(claimed, ({ platform }) => platform)].map(([platform, list]) => ({
        platform,
        refs: list.map(({ workspaceId: workspace, channelId, generation, epoch }) => ({
          workspaceId: workspace,
          channelId,
          generation,
          epoch,
        })),
        dueAtMs: Math.min(...list.map(({ dueAt }) => dueAt.getTime())),
      }))
    },
    async states(postId: string): Promise<string[]> {
      const { data } = await call('GET', `/content/${postId}`)
      return data.channels.map((channel: { result: { status: string } }) => channel.result.status)
    },
    /** Moves the stored moment at which a guard was set into the past. */
    async age(postId: string, ms: number): Promise<void> {
      await ctx.db.system
        .updateTable('part')
        .where('post_id', '=', postId)
        .set((eb) => ({ submitted_at: eb.val(new Date(Date.now() - ms)) }))
        .execute()
    },
  }
}
