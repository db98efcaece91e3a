import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { makePng } from '../../media/files.fixture.ts'
import { finishDetached } from '../../../infra/queue/run-detachable.ts'
import { PostApi } from '../../posts/post-api.fixture.ts'
import { fetchPending } from './fetch-pending.ts'

/** Guarantee: a host that is slow to send the files of a post holds no run of the engine, and the files arrive once. */

let api: PostApi
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-fetch-'))
  api = await PostApi.start(dir)
}, 60_000)
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A post with a file at a host that sends it when the test says so. */
async function openPending() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let requests = 0
  const photo = await makePng({ width: 20, height: 20 })
  const open: Context['egress']['open'] = async ({ url }) => {
    requests++
    await promise
    return { status: 200, url, headers: {}, body: Readable.from([photo]) }
  }
  const ctx: Context = { ...api.ctx, egress: { ...api.ctx.egress, open } }
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const fields = { connections: [api.first], medias: ['https://files.example/photo.png'], async: true, scheduledAt }
  const { data } = await api.send<{ requestId: string }>('POST', '/content/photos', fields)
  const posts = api.ctx.db.system.selectFrom('post').where('request_id', '=', data.requestId)
  const { id } = await posts.select('id').executeTakeFirstOrThrow()
  const key = { workspaceId: api.workspaceId, id }
  const files = () => api.ctx.db.system.selectFrom('post_media').where('post_id', '=', id).selectAll().execute()
  const items = async () => (await api.ctx.db.system.selectFrom('media').select('id').execute()).length
  const age = () =>
    api.ctx.db.system
      .updateTable('post')
      .where('id', '=', id)
      .set({ fetching_until: new Date(0) })
      .execute()
  return { ctx, key, files, items, age, send: resolve, requests: () => requests }
}

test('a run ends before the files have arrived, and nobody else fetches them meanwhile', async () => {
  const { ctx, key, files, send, requests } = await openPending()
  expect(await fetchPending(ctx, key)).toBe(false)
  expect(await fetchPending(ctx, key)).toBe(false)
  expect(requests()).toBe(1)
  send()
  await expect.poll(() => fetchPending(ctx, key), { timeout: 15_000 }).toBe(true)
  expect(await files()).toHaveLength(1)
})

test('when the process seems to be gone, another one fetches the files, and they are stored once', async () => {
  const { ctx, key, files, items, age, send, requests } = await openPending()
  const before = await items()
  expect(await fetchPending(ctx, key)).toBe(false)
  await age()
  expect(await fetchPending(ctx, key)).toBe(false)
  expect(requests()).toBe(2)
  send()
  // Ends the work of this process, so it is the last test.
  expect(await finishDetached(ctx, 30_000)).toBe(true)
  expect(await files()).toHaveLength(1)
  expect((await items()) - before).toBe(1)
})
