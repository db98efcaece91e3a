import { setTimeout as sleep } from 'node:timers/promises'
import type { Post } from '@carillon/sdk'
import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createDraft, createPost, createScheduled, readPost, unknownId } from '../../support/posts.ts'
import { bluesky, findPlatformPosts, mastodon, testStack, timeAfter, uniqueText, waitUntilFinished } from '../../test-stack.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const published = async (more: Record<string, unknown> = {}) => waitUntilFinished((await createPost(more)).data.uploadId)

describe('archive, delete, bulk', () => {
  rows(() => createDraft(), {
    'I 4.1 PATCH /content/:id/archive': async (uploadId) =>
      expect(await callData(`PATCH /content/${uploadId}/archive`)).toMatchObject({
        archived: true,
        archivedAt: instant,
        status: 'draft',
      }),
    'D 4 archived': async (uploadId) => {
      const listed = async (query = '') =>
        (await callData<{ data: Post[] }>(`GET /content?limit=100${query}`)).data.map((each) => each.uploadId).includes(uploadId)
      expect([await listed(), await listed('&archived=true'), await listed('&archived=any')]).toEqual([false, true, true])
      const soon = (await createPost({ scheduledAt: timeAfter(2000) })).data.uploadId
      await callData(`PATCH /content/${soon}/archive`)
      expect((await waitUntilFinished(soon)).status).toBe('completed')
    },
    'I 4.1 PATCH /content/:id/unarchive': async (uploadId) =>
      expect(await callData(`PATCH /content/${uploadId}/unarchive`)).toMatchObject({ archived: false, archivedAt: null }),
    'I 4.1 DELETE /content/:id': async (uploadId) => {
      const reply = await call(`DELETE /content/${uploadId}`)
      expect([reply.status, reply.data]).toEqual([200, null])
    },
    'I 3 any to removed': async (uploadId) => {
      expect((await call(`GET /content/${uploadId}`)).status).toBe(404)
      const text = uniqueText('deleted in time')
      const soon = (await createPost({ text, scheduledAt: timeAfter(2000) })).data.uploadId
      for (const gone of [soon, (await published()).uploadId]) {
        await callData(`DELETE /content/${gone}`)
        expect((await call(`GET /content/status?requestId=${gone}`)).status).toBe(404)
      }
      await sleep(3500)
      expect(await findPlatformPosts(text)).toEqual([])
    },
  })

  rows(async () => [await createDraft(), await createDraft()], {
    'I 4.1 POST /content/bulk-archive': async (ids) => {
      await callData('POST /content/bulk-archive', { body: { ids } })
      for (const each of ids) expect((await readPost(each)).archived).toBe(true)
    },
    'I 4.1 POST /content/bulk-unarchive': async (ids) => {
      await callData('POST /content/bulk-unarchive', { body: { ids } })
      for (const each of ids) expect((await readPost(each)).archived).toBe(false)
    },
    'I 4.1 POST /content/bulk-delete': async (ids) => {
      await callData('POST /content/bulk-delete', { body: { ids } })
      for (const each of ids) expect((await call(`GET /content/${each}`)).status).toBe(404)
    },
  })

  row('D 6 bulk', async () => {
    const ids = [await createDraft(), unknownId]
    expect(await callData('POST /content/bulk-delete', { body: { ids } })).toEqual({
      requested: 2,
      succeeded: 1,
      failed: [{ id: unknownId, code: 'post_not_found', message: expect.any(String) }],
    })
    for (const bad of [[], Array.from({ length: 101 }, () => unknownId), 'all', undefined])
      expect((await call('POST /content/bulk-delete', { body: { ids: bad } })).status).toBe(422)
  })

  row('D 6 unpublish', async () => {
    const text = uniqueText('regretted')
    const { uploadId } = await published({ text, connections: [bluesky, mastodon, testStack.failConnection] })
    const removed = await callData<{ channels: { outcome: string }[] }>(`DELETE /content/${uploadId}?unpublish=true`)
    expect(removed.channels).toMatchObject([
      { connection: bluesky, outcome: 'removed' },
      { connection: mastodon, outcome: 'removed' },
      { connection: testStack.failConnection, outcome: 'not_published' },
    ])
    expect((await findPlatformPosts(text)).map(({ deleted }) => deleted)).toEqual([true, true])
    expect((await call(`GET /content/${uploadId}`)).status).toBe(404)
    // Without `unpublish` the post is deleted only here, not on the platform.
    const kept = await published()
    expect(await callData(`DELETE /content/${kept.uploadId}`)).toBeNull()
    expect((await findPlatformPosts(kept.text ?? '')).map(({ deleted }) => deleted)).toEqual([false])
  })

  row('D 6 answers with the Post', async () => {
    const [first, second, third] = [
      await createDraft(),
      await createScheduled(),
      (await published({ connections: [testStack.failConnection] })).uploadId,
    ]
    const routes = [
      `PATCH /content/${first}/archive`,
      `PATCH /content/${first}/unarchive`,
      `GET /content/${first}`,
      `POST /content/${first}/publish`,
      `POST /content/${second}/publish-now`,
      `POST /content/${third}/retry`,
    ]
    for (const route of routes) {
      const { uploadId, channels } = await callData<Post>(route)
      expect([route, route.includes(uploadId), channels.length]).toEqual([route, true, 1])
    }
  })
})
