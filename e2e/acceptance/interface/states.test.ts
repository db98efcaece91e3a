import type { Post } from '@carillon/sdk'
import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { findSubmits } from '../../support/find-submits.ts'
import { createDraft, createPost, createScheduled, dayMs, readPost, unknownId } from '../../support/posts.ts'
import { queryDatabase } from '../../support/query-database.ts'
import {
  bluesky,
  findPlatformPosts,
  mastodon,
  testStack,
  textConnections,
  timeAfter,
  uniqueText,
  waitUntilFinished,
} from '../../test-stack.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f]{24}$/)
const published = async (more: Record<string, unknown> = {}) => waitUntilFinished((await createPost(more)).data.uploadId)
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
        issues: [],
        createdBy: { userId: expect.any(String), name: expect.any(String), apiKeyId: expect.any(String) },
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
          waiting: null,
        },
      })
    },
    'I 2 Post status': (it) => expect(it.status).toBe('completed'),
    'I 2 Post type': (it) => expect(it.type).toBe('text'),
    'I 2 Post channels': (it) => expect(it.channels.map(({ connection }) => connection)).toEqual([bluesky, mastodon]),
    'I 2 Post title': (it) => expect(it.title).toBe('T'),
    'I 2 Post scheduledAt': async (it) => {
      expect(it.scheduledAt).toBeNull()
      expect((await readPost(await createScheduled())).scheduledAt).toEqual(instant)
    },
    'I 2 Post createdAt': (it) => expect(it.createdAt).toEqual(instant),
    'I 2 Channel platform': (it) => expect(it.channels.map(({ platform }) => platform)).toEqual(['bluesky', 'mastodon']),
    'I 2 Channel connectionId': async (it) => {
      const connections = await callData<{ id: string }[]>(`GET /workspaces/${testStack.workspaceId}/connections`)
      expect(connections.map((each) => each.id)).toContain(it.channels[0]?.connectionId)
    },
    'I 2 Channel targetName': (it) => expect(it.channels[0]?.targetName).toBe('demo on bluesky'),
    'I 2 Channel result': (it) =>
      expect(it.channels[1]?.result).toMatchObject({ status: 'success', postUrl: expect.stringMatching(/^https?:/) }),
    'I 4.1 GET /content/:id': async (it) => {
      // Compared with what the database and the platforms have, not with another answer of the same program.
      const [stored] = await queryDatabase<{ request_id: string; title: string; text: string; status: string; created_at: Date }>(
        'select request_id, title, text, status, created_at from post where workspace_id = $1 and id = $2',
        [testStack.workspaceId, it.uploadId],
      )
      if (!stored) throw new Error('the post is not in the database')
      const answer = await readPost(it.uploadId)
      expect(answer).toMatchObject({
        uploadId: it.uploadId,
        requestId: stored.request_id,
        title: stored.title,
        text: stored.text,
        status: stored.status,
        createdAt: stored.created_at.toISOString(),
      })
      const onPlatforms = await findPlatformPosts(stored.text)
      expect(answer.channels.map(({ platform, result }) => [platform, result.postId]).toSorted()).toEqual(
        onPlatforms.map(({ platform, id: postId }) => [platform, postId]).toSorted(),
      )
      expect((await call(`GET /content/${unknownId}`)).status).toBe(404)
    },
    'I 4.1 GET /content/status': async ({ requestId, uploadId }) =>
      expect(await callData(`GET /content/status?requestId=${requestId}`)).toMatchObject({ uploadId, status: 'completed' }),
    'I 4.1 status by either id': async ({ requestId, uploadId }) =>
      expect(await callData(`GET /content/status?requestId=${uploadId}`)).toEqual(
        await callData(`GET /content/status?requestId=${requestId}`),
      ),
    'I 4.1 status answer': async ({ requestId, uploadId, type, channels, createdAt, status }) =>
      expect(await callData(`GET /content/status?requestId=${uploadId}`)).toEqual({
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
    const text = uniqueText('to everybody')
    await published({ connections: textConnections, text })
    expect(await findPlatformPosts(text)).toHaveLength(4)
  })

  row('I 1 queue', async () => {
    const { requestId } = (await createPost({ connections: [bluesky, mastodon] })).data
    const first = await callData<Post>(`GET /content/status?requestId=${requestId}`)
    expect(first.channels).toHaveLength(2)
    expect((await waitUntilFinished(requestId)).channels.map(({ result }) => result.status)).toEqual(['success', 'success'])
  })

  row('D 4 post status', async () => {
    const all = ['draft', 'scheduled', 'queued', 'publishing', 'completed', 'partial_failure', 'failed']
    for (const status of all) expect([status, (await call(`GET /content?status=${status}`)).status]).toEqual([status, 200])
    expect((await call('GET /content?status=published')).status).toBe(422)
  })
})

describe('drafts', () => {
  rows(async () => ({ uploadId: await createDraft({ title: 'Before', linkUrl: 'https://example.com/a' }) }), {
    'I 3 draft to draft': async ({ uploadId }) => {
      // Only the answer about one post says who created it.
      const { createdBy: _, ...before } = await readPost(uploadId)
      const after = await callData<Post>(`PATCH /content/${uploadId}`, { body: { text: 'after' } })
      expect(after).toEqual({ ...before, text: 'after', updatedAt: after.updatedAt })
    },
    'I 4.1 PATCH /content/:id': async ({ uploadId }) =>
      expect(await callData(`PATCH /content/${uploadId}`, { body: { title: 'After' } })).toMatchObject({
        title: 'After',
        status: 'draft',
      }),
    'D 12 PATCH null': async ({ uploadId }) => {
      const cleared = await callData<Post>(`PATCH /content/${uploadId}`, { body: { linkUrl: null } })
      expect([cleared.linkUrl, cleared.title]).toEqual([null, 'After'])
      await callData(`PATCH /content/${uploadId}`, { body: { scheduledAt: '2028-07-01T12:00:00', timezone: 'Europe/Berlin' } })
      const moved = await callData<Post>(`PATCH /content/${uploadId}`, { body: { timezone: 'Asia/Tokyo' } })
      expect(moved.scheduledAt).toBe('2028-07-01T03:00:00.000Z')
      await callData(`PATCH /content/${uploadId}`, { body: { scheduledAt: null } })
    },
    'I 3 draft to publishing': async ({ uploadId }) =>
      expect(await callData(`POST /content/${uploadId}/publish`)).toMatchObject({ uploadId, status: 'publishing' }),
    'I 4.1 POST /content/:id/publish': async ({ uploadId }) =>
      expect((await waitUntilFinished(uploadId)).status).toBe('completed'),
    'D 2 draftId': async ({ uploadId }) => expect((await waitUntilFinished(uploadId)).uploadId).toBe(uploadId),
  })

  row('D 6 publish scheduled draft', async () => {
    const uploadId = await createDraft({ scheduledAt: timeAfter(dayMs) })
    expect(await callData(`POST /content/${uploadId}/publish`)).toMatchObject({ status: 'scheduled' })
  })
})

describe('failed and unconfirmed channels', () => {
  rows(() => published({ connections: [bluesky, testStack.failConnection] }), {
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
        reason: 'refused',
        platformMessage: expect.any(String),
      }),
    'I 3 failed to queued': async (it) => {
      await callData(`POST /content/${it.uploadId}/retry`)
      const again = await waitUntilFinished(it.uploadId)
      expect(again.channels[0]).toEqual(it.channels[0])
      expect(again.channels[1]?.result.attempts).toBe(2)
    },
    'I 4.1 POST /content/:id/retry': async ({ uploadId }) => {
      expect(await callData(`POST /content/${uploadId}/retry`)).toMatchObject({ uploadId, status: 'publishing' })
      await waitUntilFinished(uploadId)
    },
    'D 4 overall': async (it) => {
      expect(it.status).toBe('partial_failure')
      expect((await published({ connections: [testStack.failConnection] })).status).toBe('failed')
      expect((await published()).status).toBe('completed')
    },
  })

  rows(() => published({ connections: [testStack.unconfirmedConnection] }), {
    'D 4 unconfirmed': async (it) => {
      expect([it.status, it.channels[0]?.result.status]).toEqual(['failed', 'unconfirmed'])
      expect((await post(`POST /content/${it.uploadId}/retry`)).error.code).toBe('nothing_to_retry')
      // Overdue in every respect, the channel is what a loop that repeats sends would take first.
      const past = `now() - interval '1 hour'`
      const times = `due_at = ${past}, dispatch_at = ${past}, recover_at = ${past}, submitted_at = ${past}`
      expect(await queryDatabase(`update channel set ${times} where post_id = $1 returning 1`, [it.uploadId])).toHaveLength(1)
      const later = await published({ scheduledAt: timeAfter(5000) })
      expect(later.status).toBe('completed')
      expect((await readPost(it.uploadId)).channels[0]?.result).toMatchObject({ status: 'unconfirmed', attempts: 1 })
      expect((await findSubmits(it.text ?? '')).asked).toBe(1)
    },
    'D 4 resolve not_published': async (it) => {
      const path = `/content/${it.uploadId}/channels/${it.channels[0]?.id}/resolve`
      expect((await call(`POST ${path}`, { body: { outcome: 'perhaps' } })).status).toBe(422)
      const resolved = await callData<Post>(`POST ${path}`, { body: { outcome: 'not_published' } })
      expect(resolved.channels[0]?.result.status).toBe('failed')
      // The answer of a person sends nothing by itself; the retry sends once.
      const later = await published({ scheduledAt: timeAfter(3000) })
      expect([later.status, (await findSubmits(it.text ?? '')).asked]).toEqual(['completed', 1])
      expect((await post(`POST /content/${it.uploadId}/retry`)).status).toBe(200)
      const again = await waitUntilFinished(it.uploadId)
      expect([again.channels[0]?.result.attempts, (await findSubmits(it.text ?? '')).asked]).toEqual([2, 2])
    },
    'D 4 resolve published': async (it) => {
      const path = `/content/${it.uploadId}/channels/${it.channels[0]?.id}/resolve`
      const body = { outcome: 'published', postUrl: 'https://example.com/found' }
      const resolved = await callData<Post>(`POST ${path}`, { body })
      expect(resolved).toMatchObject({
        status: 'completed',
        channels: [{ result: { status: 'success', postUrl: body.postUrl } }],
      })
      expect((await call(`POST ${path}`, { body })).status).toBe(409)
    },
  })
})
