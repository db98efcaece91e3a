import { createCarillon } from '@carillon/sdk'
import { describe, expect, test } from 'vitest'
import {
  bluesky,
  carillon,
  findPlatformPosts,
  mastodon,
  otherTenant,
  testStack,
  timeAfter,
  uniqueText,
  waitUntilFinished,
} from '../test-stack.ts'

const day = 86_400_000
const scheduled = (text = uniqueText('later')) =>
  carillon.content.createText({ connections: [bluesky], text, scheduledAt: timeAfter(30 * day) })
const draft = (text = uniqueText('draft')) =>
  carillon.content.createText({ connections: [bluesky, mastodon], text, saveDraft: true })

describe('drafts', () => {
  test('a draft is stored, changed and published; its id stays', async () => {
    const { draftId } = await draft()
    const text = uniqueText('changed')
    expect(await carillon.content.update(draftId, { text, title: 'A title' })).toMatchObject({
      status: 'draft',
      text,
      title: 'A title',
    })
    expect(await carillon.content.publish(draftId)).toMatchObject({ uploadId: draftId, status: 'publishing' })
    expect(await waitUntilFinished(draftId)).toMatchObject({ status: 'completed' })
    await expect(carillon.content.update(draftId, { title: 'too late' })).rejects.toMatchObject({ code: 'not_a_draft' })
  })

  test('a draft that breaks a platform rule is stored with a warning, and rejected when it is published', async () => {
    const { draftId } = await carillon.content.createText({ connections: [bluesky], text: 'a'.repeat(400), saveDraft: true })
    const post = await carillon.content.get(draftId)
    expect(post.channels[0]?.result.warnings[0]).toContain('300')
    await expect(carillon.content.publish(draftId)).rejects.toMatchObject({ code: 'post_invalid' })
  })
})

describe('the schedule', () => {
  test('a scheduled post can be rescheduled, unscheduled, and published at once', async () => {
    const text = uniqueText('moved')
    const { uploadId } = await scheduled(text)
    const scheduledAt = timeAfter(60 * day)
    expect(await carillon.content.reschedule(uploadId, { scheduledAt, timezone: 'Asia/Tokyo' })).toMatchObject({
      scheduledAt,
      status: 'scheduled',
    })
    expect(await carillon.content.unschedule(uploadId)).toMatchObject({ status: 'draft' })
    expect(await carillon.content.publish(uploadId)).toMatchObject({ status: 'scheduled' })
    expect(await carillon.content.publishNow(uploadId)).toMatchObject({ status: 'publishing' })
    expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
    expect(await findPlatformPosts(text)).toHaveLength(1)
  })

  test('a post that is rescheduled just before its time is published once, at the new time', async () => {
    const text = uniqueText('moved late')
    const { uploadId } = await carillon.content.createText({ connections: [bluesky], text, scheduledAt: timeAfter(2500) })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const scheduledAt = timeAfter(3500)
    await carillon.content.reschedule(uploadId, { scheduledAt })
    await waitUntilFinished(uploadId)
    const seen = await findPlatformPosts(text)
    expect(seen).toHaveLength(1)
    expect(seen[0]?.atMs).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
  })

  test('a post that is deleted before its time is never published', async () => {
    const text = uniqueText('deleted')
    const { uploadId } = await carillon.content.createText({
      connections: [bluesky, mastodon],
      text,
      scheduledAt: timeAfter(2000),
    })
    await carillon.content.remove(uploadId)
    await new Promise((resolve) => setTimeout(resolve, 4000))
    expect(await findPlatformPosts(text)).toHaveLength(0)
  })

  test('a wall time is read in its time zone', async () => {
    const { draftId } = await carillon.content.createText({
      connections: [bluesky],
      text: 'noon',
      saveDraft: true,
      scheduledAt: '2027-07-01T12:00:00',
      timezone: 'Europe/Berlin',
    })
    expect(await carillon.content.get(draftId)).toMatchObject({ scheduledAt: '2027-07-01T10:00:00.000Z' })
    expect(await carillon.content.update(draftId, { timezone: 'Asia/Tokyo' })).toMatchObject({
      scheduledAt: '2027-07-01T03:00:00.000Z',
    })
  })
})

describe('lists, archive, bulk', () => {
  test('the list is newest first and pages do not overlap', async () => {
    await Promise.all([draft(), draft(), draft()])
    const ids: string[] = []
    for await (const post of carillon.content.iterate({ limit: 2, status: 'draft' })) {
      ids.push(post.uploadId)
      if (ids.length === 6) break
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(ids.toSorted().toReversed())
  })

  test('an archived post is hidden from the list and can still be read', async () => {
    const { draftId } = await draft()
    expect(await carillon.content.archive(draftId)).toMatchObject({ archived: true })
    const listed = async (archived?: 'true') =>
      (await carillon.content.list({ limit: 100, ...(archived && { archived }) })).data.map((post) => post.uploadId)
    expect(await listed()).not.toContain(draftId)
    expect(await listed('true')).toContain(draftId)
    expect(await carillon.content.unarchive(draftId)).toMatchObject({ archived: false })
  })

  test('bulk operations do what is possible and name the ids that failed', async () => {
    const ids = await Promise.all([draft(), draft()]).then((made) => made.map(({ draftId }) => draftId))
    const unknown = '0123456789abcdef01234567'
    for (const call of [carillon.content.bulkArchive, carillon.content.bulkUnarchive, carillon.content.bulkDelete]) {
      expect(await call({ ids: [...ids, unknown] })).toMatchObject({
        requested: 3,
        succeeded: 2,
        failed: [{ id: unknown, code: 'post_not_found' }],
      })
    }
    await expect(carillon.content.get(ids[0] ?? '')).rejects.toMatchObject({ status: 404 })
  })

  test('deleting with unpublish also removes it where it was published', async () => {
    const text = uniqueText('short lived')
    const { uploadId } = await carillon.content.createText({ connections: [bluesky, mastodon], text })
    await waitUntilFinished(uploadId)
    const removed = await carillon.content.remove(uploadId, { unpublish: 'true' })
    expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed', 'removed'])
  })
})

describe('rejected requests', () => {
  test('one answer lists every violation, before anything is queued', async () => {
    const text = 'a'.repeat(600)
    await expect(carillon.content.createText({ connections: [bluesky, mastodon], text })).rejects.toMatchObject({
      code: 'post_invalid',
      status: 422,
      details: [{ path: 'connections[0].text' }, { path: 'connections[1].text' }],
    })
    const verdict = await carillon.content.validate({ type: 'text', connections: [bluesky, mastodon], text: 'a'.repeat(400) })
    expect(verdict.connections.map(({ valid }) => valid)).toEqual([false, true])
  })

  test('one Idempotency-Key creates one post, however often and however fast it is sent', async () => {
    const text = uniqueText('only once')
    const body = { connections: [bluesky], text, saveDraft: true as const }
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, () => carillon.content.createText(body, { idempotencyKey: text })),
    )
    const ids = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.draftId] : []))
    expect(new Set(ids).size).toBe(1)
    expect((await carillon.content.list({ search: text.split(' ').at(-1) ?? '' })).data).toHaveLength(1)
  })

  test('an id of another workspace looks unknown', async () => {
    const { draftId } = await draft()
    await expect(otherTenant.content.get(draftId)).rejects.toMatchObject({ status: 404, code: 'post_not_found' })
    await expect(otherTenant.content.remove(draftId)).rejects.toMatchObject({ status: 404 })
  })

  test('a key for one workspace gives access to no other and cannot list workspaces', async () => {
    const { key = '' } = await carillon.workspaces.createApiKey(testStack.workspaceId, { label: 'narrow', workspaceOnly: true })
    const narrow = createCarillon({ baseUrl: testStack.baseUrl, apiKey: key, workspaceId: testStack.workspaceId })
    await expect(narrow.content.list({ limit: 1 })).resolves.toBeDefined()
    await expect(narrow.workspaces.list()).rejects.toMatchObject({ status: 403, code: 'scope_missing' })
    await expect(narrow.workspaces.create({ name: 'escape' })).rejects.toMatchObject({ status: 403, code: 'scope_missing' })
  })

  test('the service reports that it is ready while a worker is alive', async () => {
    const ready = await fetch(testStack.baseUrl.replace('/api', '/health/ready'))
    expect(ready.status).toBe(200)
    expect(await ready.json()).toMatchObject({ status: 'ready', database: 'up' })
  })
})
