import type { Post } from '@carillon/sdk'
import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, get } from '../../rig/call.ts'
import { create, dayMs, draft, readPost, scheduled, unknownId } from '../../rig/posts.ts'
import { ahead, bluesky, finished, mastodon, onPlatforms, textConnections, unique, world } from '../../world.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f]{24}$/)
const published = async (more: Record<string, unknown> = {}) => finished((await create(more)).data.uploadId)
const post = (route: string) => call<Post>(route)

describe('a post and its channels', () => {
  rows(() => published({ title: 'T', connections: [bluesky, mastodon] }), {
    'D 4 Post': (it) =>
      expect(it).toEqual({
        uploadId: id,
        requestId: expect.any(String),
        status: 'completed',
        type: 'text',
        contentFormat: null,
        title: 'T',
        text: expect.any(String),
        firstComment: null,
        linkUrl: null,
        medias: [],
        channels: expect.any(Array),
        platformOptions: {},
        scheduledAt: null,
        timezone: null,
        publishedAt: instant,
        archived: false,
        archivedAt: null,
        warnings: expect.any(Array),
        createdAt: instant,
        updatedAt: instant,
      }),
    'D 4 Channel': (it) => {
      expect(it.channels).toHaveLength(2)
      expect(it.channels[0]).toEqual({
        id,
        platform: 'bluesky',
        connectionId: id,
        connection: bluesky,
        targetName: expect.any(String),
        result: {
          status: 'success',
          postUrl: expect.stringMatching(/^https?:/),
          postId: expect.any(String),
          publishedAt: instant,
          error: null,
          warnings: expect.any(Array),
          attempts: 1,
          late: null,
        },
      })
    },
    'I 2 Post status': (it) => expect(it.status).toBe('completed'),
    'I 2 Post type': (it) => expect(it.type).toBe('text'),
    'I 2 Post channels': (it) => expect(it.channels.map(({ connection }) => connection)).toEqual([bluesky, mastodon]),
    'I 2 Post title': (it) => expect(it.title).toBe('T'),
    'I 2 Post scheduledAt': async (it) => {
      expect(it.scheduledAt).toBeNull()
      expect((await readPost(await scheduled())).scheduledAt).toEqual(instant)
    },
    'I 2 Post createdAt': (it) => expect(it.createdAt).toEqual(instant),
    'I 2 Channel platform': (it) => expect(it.channels.map(({ platform }) => platform)).toEqual(['bluesky', 'mastodon']),
    'I 2 Channel connectionId': async (it) => {
      const connections = await get<{ id: string }[]>(`GET /workspaces/${world.workspaceId}/connections`)
      expect(connections.map((each) => each.id)).toContain(it.channels[0]?.connectionId)
    },
    'I 2 Channel targetName': (it) => expect(it.channels[0]?.targetName).toBe('demo on bluesky'),
    'I 2 Channel result': (it) =>
      expect(it.channels[1]?.result).toMatchObject({ status: 'success', postUrl: expect.stringMatching(/^https?:/) }),
    'I 4.1 GET /content/:id': async (it) => expect(await readPost(it.uploadId)).toEqual(it),
    'I 4.1 GET /content/status': async ({ requestId, uploadId }) =>
      expect(await get(`GET /content/status?requestId=${requestId}`)).toMatchObject({ uploadId, status: 'completed' }),
    'I 4.1 status by either id': async ({ requestId, uploadId }) =>
      expect(await get(`GET /content/status?requestId=${uploadId}`)).toEqual(
        await get(`GET /content/status?requestId=${requestId}`),
      ),
    'I 4.1 status answer': async ({ requestId, uploadId, type, channels, createdAt, status }) =>
      expect(await get(`GET /content/status?requestId=${uploadId}`)).toEqual({
        requestId,
        uploadId,
        status,
        type,
        channels,
        createdAt,
      }),
    'D 6 not_a_draft': async ({ uploadId }) => {
      for (const reply of [
        await call(`PATCH /content/${uploadId}`, { body: { title: 'x' } }),
        await post(`POST /content/${uploadId}/publish`),
      ])
        expect([reply.status, reply.error.code]).toEqual([409, 'not_a_draft'])
    },
    'D 6 nothing_to_retry': async ({ uploadId }) =>
      expect((await post(`POST /content/${uploadId}/retry`)).error).toMatchObject({ code: 'nothing_to_retry' }),
    'D 6 not_scheduled': async ({ uploadId }) => {
      const reply = await post(`POST /content/${uploadId}/publish-now`)
      expect([reply.status, reply.error.code]).toEqual([409, 'not_scheduled'])
    },
  })

  row('I 1 many accounts', async () => {
    const text = unique('to everybody')
    await published({ connections: textConnections, text })
    expect(await onPlatforms(text)).toHaveLength(4)
  })

  row('I 1 queue', async () => {
    const { requestId } = (await create({ connections: [bluesky, mastodon] })).data
    const first = await get<Post>(`GET /content/status?requestId=${requestId}`)
    expect(first.channels).toHaveLength(2)
    expect((await finished(requestId)).channels.map(({ result }) => result.status)).toEqual(['success', 'success'])
  })

  row('D 4 post status', async () => {
    const all = ['draft', 'scheduled', 'queued', 'publishing', 'completed', 'partial_failure', 'failed']
    for (const status of all) expect([status, (await call(`GET /content?status=${status}`)).status]).toEqual([status, 200])
    expect((await call('GET /content?status=published')).status).toBe(422)
  })
})

describe('drafts', () => {
  rows(async () => ({ uploadId: await draft({ title: 'Before', linkUrl: 'https://example.com/a' }) }), {
    'I 3 draft to draft': async ({ uploadId }) => {
      const before = await readPost(uploadId)
      const after = await get<Post>(`PATCH /content/${uploadId}`, { body: { text: 'after' } })
      expect(after).toEqual({ ...before, text: 'after', updatedAt: after.updatedAt })
    },
    'I 4.1 PATCH /content/:id': async ({ uploadId }) =>
      expect(await get(`PATCH /content/${uploadId}`, { body: { title: 'After' } })).toMatchObject({
        title: 'After',
        status: 'draft',
      }),
    'D 12 PATCH null': async ({ uploadId }) => {
      const cleared = await get<Post>(`PATCH /content/${uploadId}`, { body: { linkUrl: null } })
      expect([cleared.linkUrl, cleared.title]).toEqual([null, 'After'])
      await get(`PATCH /content/${uploadId}`, { body: { scheduledAt: '2028-07-01T12:00:00', timezone: 'Europe/Berlin' } })
      const moved = await get<Post>(`PATCH /content/${uploadId}`, { body: { timezone: 'Asia/Tokyo' } })
      expect(moved.scheduledAt).toBe('2028-07-01T03:00:00.000Z')
      await get(`PATCH /content/${uploadId}`, { body: { scheduledAt: null } })
    },
    'I 3 draft to publishing': async ({ uploadId }) =>
      expect(await get(`POST /content/${uploadId}/publish`)).toMatchObject({ uploadId, status: 'publishing' }),
    'I 4.1 POST /content/:id/publish': async ({ uploadId }) => expect((await finished(uploadId)).status).toBe('completed'),
    'D 2 draftId': async ({ uploadId }) => expect((await finished(uploadId)).uploadId).toBe(uploadId),
  })

  row('D 6 publish scheduled draft', async () => {
    const uploadId = await draft({ scheduledAt: ahead(dayMs) })
    expect(await get(`POST /content/${uploadId}/publish`)).toMatchObject({ status: 'scheduled' })
  })
})

describe('the schedule', () => {
  rows(scheduled, {
    'D 6 reschedule': async (uploadId) => {
      const scheduledAt = ahead(60 * dayMs)
      const body = { scheduledAt, timezone: 'Asia/Tokyo' }
      expect(await get(`POST /content/${uploadId}/reschedule`, { body })).toMatchObject({ status: 'scheduled', scheduledAt })
    },
    'I 3 scheduled to published': async (uploadId) => {
      expect(await get(`POST /content/${uploadId}/publish-now`)).toMatchObject({ status: 'publishing' })
      expect((await finished(uploadId)).status).toBe('completed')
    },
    'I 4.1 POST /content/:id/publish-now': async (uploadId) =>
      expect(await onPlatforms((await readPost(uploadId)).text ?? '')).toHaveLength(1),
  })

  row('D 6 unschedule', async () => {
    expect(await get(`POST /content/${await scheduled()}/unschedule`)).toMatchObject({ status: 'draft' })
    expect((await post(`POST /content/${await draft()}/unschedule`)).status).toBe(409)
  })
})

describe('what went wrong', () => {
  rows(() => published({ connections: [bluesky, world.failConnection] }), {
    'I 7 failed channel': (it) => {
      expect(it.status).toBe('partial_failure')
      expect(it.channels[1]?.result).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/\w+/) } })
    },
    'D 4 channel error': (it) =>
      expect(it.channels[1]?.result.error).toEqual({
        code: 'content_rejected',
        message: expect.any(String),
        action: 'fix_request',
        retryable: false,
        platformCode: expect.toBeOneOf([null, expect.any(String)]),
      }),
    'I 3 failed to queued': async (it) => {
      await get(`POST /content/${it.uploadId}/retry`)
      const again = await finished(it.uploadId)
      expect(again.channels[0]).toEqual(it.channels[0])
      expect(again.channels[1]?.result.attempts).toBe(2)
    },
    'I 4.1 POST /content/:id/retry': async ({ uploadId }) => {
      expect(await get(`POST /content/${uploadId}/retry`)).toMatchObject({ uploadId, status: 'publishing' })
      await finished(uploadId)
    },
    'D 4 overall': async (it) => {
      expect(it.status).toBe('partial_failure')
      expect((await published({ connections: [world.failConnection] })).status).toBe('failed')
      expect((await published()).status).toBe('completed')
    },
  })

  rows(() => published({ connections: [world.unconfirmedConnection] }), {
    'D 4 unconfirmed': async (it) => {
      expect([it.status, it.channels[0]?.result.status]).toEqual(['failed', 'unconfirmed'])
      expect((await post(`POST /content/${it.uploadId}/retry`)).error.code).toBe('nothing_to_retry')
    },
    'D 4 resolve not_published': async (it) => {
      const path = `/content/${it.uploadId}/channels/${it.channels[0]?.id}/resolve`
      expect((await call(`POST ${path}`, { body: { outcome: 'perhaps' } })).status).toBe(422)
      const resolved = await get<Post>(`POST ${path}`, { body: { outcome: 'not_published' } })
      expect(resolved.channels[0]?.result.status).toBe('failed')
      expect((await post(`POST /content/${it.uploadId}/retry`)).status).toBe(200)
      await finished(it.uploadId)
    },
    'D 4 resolve published': async (it) => {
      const path = `/content/${it.uploadId}/channels/${it.channels[0]?.id}/resolve`
      const body = { outcome: 'published', postUrl: 'https://example.com/found' }
      const resolved = await get<Post>(`POST ${path}`, { body })
      expect(resolved).toMatchObject({
        status: 'completed',
        channels: [{ result: { status: 'success', postUrl: body.postUrl } }],
      })
      expect((await call(`POST ${path}`, { body })).status).toBe(409)
    },
  })
})

describe('archive, delete, bulk', () => {
  rows(() => draft(), {
    'I 4.1 PATCH /content/:id/archive': async (uploadId) =>
      expect(await get(`PATCH /content/${uploadId}/archive`)).toMatchObject({
        archived: true,
        archivedAt: instant,
        status: 'draft',
      }),
    'D 4 archived': async (uploadId) => {
      const listed = async (query = '') =>
        (await get<{ data: Post[] }>(`GET /content?limit=100${query}`)).data.map((each) => each.uploadId).includes(uploadId)
      expect([await listed(), await listed('&archived=true'), await listed('&archived=any')]).toEqual([false, true, true])
      const soon = (await create({ scheduledAt: ahead(2000) })).data.uploadId
      await get(`PATCH /content/${soon}/archive`)
      expect((await finished(soon)).status).toBe('completed')
    },
    'I 4.1 PATCH /content/:id/unarchive': async (uploadId) =>
      expect(await get(`PATCH /content/${uploadId}/unarchive`)).toMatchObject({ archived: false, archivedAt: null }),
    'I 4.1 DELETE /content/:id': async (uploadId) => {
      const reply = await call(`DELETE /content/${uploadId}`)
      expect([reply.status, reply.data]).toEqual([200, null])
    },
    'I 3 any to removed': async (uploadId) => {
      expect((await call(`GET /content/${uploadId}`)).status).toBe(404)
      for (const gone of [await scheduled(), (await published()).uploadId]) {
        await get(`DELETE /content/${gone}`)
        expect((await call(`GET /content/status?requestId=${gone}`)).status).toBe(404)
      }
    },
  })

  rows(async () => [await draft(), await draft()], {
    'I 4.1 POST /content/bulk-archive': async (ids) => {
      await get('POST /content/bulk-archive', { body: { ids } })
      for (const each of ids) expect((await readPost(each)).archived).toBe(true)
    },
    'I 4.1 POST /content/bulk-unarchive': async (ids) => {
      await get('POST /content/bulk-unarchive', { body: { ids } })
      for (const each of ids) expect((await readPost(each)).archived).toBe(false)
    },
    'I 4.1 POST /content/bulk-delete': async (ids) => {
      await get('POST /content/bulk-delete', { body: { ids } })
      for (const each of ids) expect((await call(`GET /content/${each}`)).status).toBe(404)
    },
  })

  row('D 6 bulk', async () => {
    const ids = [await draft(), unknownId]
    expect(await get('POST /content/bulk-delete', { body: { ids } })).toEqual({
      requested: 2,
      succeeded: 1,
      failed: [{ id: unknownId, code: 'post_not_found', message: expect.any(String) }],
    })
    for (const bad of [[], Array.from({ length: 101 }, () => unknownId), 'all', undefined])
      expect((await call('POST /content/bulk-delete', { body: { ids: bad } })).status).toBe(422)
  })

  row('D 6 unpublish', async () => {
    const { uploadId } = await published({ connections: [bluesky] })
    const removed = await get<{ channels: { outcome: string }[] }>(`DELETE /content/${uploadId}?unpublish=true`)
    expect(removed.channels).toMatchObject([{ connection: bluesky, outcome: 'removed' }])
  })

  row('D 6 answers with the Post', async () => {
    const [first, second, third] = [
      await draft(),
      await scheduled(),
      (await published({ connections: [world.failConnection] })).uploadId,
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
      const { uploadId, channels } = await get<Post>(route)
      expect([route, route.includes(uploadId), channels.length]).toEqual([route, true, 1])
    }
  })
})
