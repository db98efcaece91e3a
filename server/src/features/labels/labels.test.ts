import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey, CalendarEntry, ExportPage, Label, Post } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { loadEventPosts } from '../posts/reading/load-event-posts.ts'
import { workspaceDataRoutes } from '../workspace-data/workspace-data.routes.ts'
import { labelRoutes } from './label.routes.ts'

/** Guarantee: a post has the labels that it was given, at most ten, and only labels of its own workspace. */

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const unknown = 'f'.repeat(24)

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-labels-'))
  api = await PostApi.start(dir, { routes: [labelRoutes, apiKeyRoutes, workspaceDataRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function makeLabel(body: object = {}): Promise<Label> {
  const { data, error } = await api.send<Label>('POST', '/labels', { name: 'Concerts', color: 'teal', ...body })
  expect(error).toBeUndefined()
  return data
}

const makeLabels = async (count: number) => {
  const made: string[] = []
  for (let n = 0; n < count; n++) made.push((await makeLabel({ name: `Label ${n}` })).id)
  return made
}
const list = async () => (await api.send<Label[]>('GET', '/labels')).data
const labelsOf = async (id: string) => (await api.get(id)).labels
type BulkReply = { succeeded: number; failed: { id: string; code: string }[] }
const bulk = (body: object) => api.send<BulkReply>('POST', '/content/bulk-label', body)

async function found(query: string): Promise<string[]> {
  const { data } = await api.send<{ data: Post[]; meta: { total: number } }>('GET', `/content?${query}`)
  expect(data.meta.total).toBe(data.data.length)
  return data.data.map(({ uploadId }) => uploadId)
}

async function entries(query = ''): Promise<CalendarEntry[]> {
  const range = `from=${inDays(-1)}&to=${inDays(30)}`
  return (await api.send<{ entries: CalendarEntry[] }>('GET', `/content/calendar?${range}${query}`)).data.entries
}

describe('a label', () => {
  test('is created, listed by name, changed and removed', async () => {
    const campaign = await makeLabel({ name: 'Summer', kind: 'campaign', startsOn: '2027-06-01', endsOn: '2027-08-31' })
    expect(campaign).toMatchObject({ kind: 'campaign', startsOn: '2027-06-01', endsOn: '2027-08-31' })
    const label = await makeLabel({ name: 'autumn' })
    expect(label).toMatchObject({ name: 'autumn', color: 'teal', kind: 'label', startsOn: null, endsOn: null })
    expect(await list()).toEqual([label, campaign])
    const { data: changed } = await api.send<Label>('PATCH', `/labels/${campaign.id}`, { color: 'pink', endsOn: null })
    expect(changed).toMatchObject({ name: 'Summer', color: 'pink', startsOn: '2027-06-01', endsOn: null })
    const { data: plain } = await api.send<Label>('PATCH', `/labels/${campaign.id}`, { kind: 'label' })
    expect(plain).toMatchObject({ kind: 'label', startsOn: null, endsOn: null })
    expect((await api.send<{ posts: number }>('DELETE', `/labels/${label.id}`)).data).toEqual({ posts: 0 })
    expect((await list()).map(({ id }) => id)).toEqual([campaign.id])
    expect((await api.send('DELETE', `/labels/${label.id}`)).error?.code).toBe('label_not_found')
    expect((await api.send('PATCH', `/labels/${label.id}`, { color: 'red' })).error?.code).toBe('label_not_found')
  })

  test('has a name of its own, whatever the case, and a sensible form', async () => {
    const label = await makeLabel({ name: 'Über uns' })
    const other = await makeLabel({ name: 'Other' })
    const refused = async (body: object) => (await api.send('POST', '/labels', { name: 'x', color: 'red', ...body })).error?.code
    expect(await refused({ name: 'ÜBER UNS' })).toBe('label_name_taken')
    expect((await api.send('PATCH', `/labels/${other.id}`, { name: 'über uns' })).error?.code).toBe('label_name_taken')
    expect((await api.send('PATCH', `/labels/${label.id}`, { name: 'ÜBER uns' })).status).toBe(200)
    for (const body of [
      { name: ' x' },
      { name: '' },
      { name: 'a\nb' },
      { color: '#ff0000' },
      { startsOn: '2027-06-01' },
      { kind: 'campaign', startsOn: '2027-06-02', endsOn: '2027-06-01' },
      { kind: 'campaign', startsOn: '2027-02-30' },
    ])
      expect(await refused(body)).toBe('request_invalid')
  })

  test('is one of at most 100 in a workspace', async () => {
    await makeLabels(100)
    expect((await api.send('POST', '/labels', { name: 'one more', color: 'red' })).error?.code).toBe('quota_reached')
  })
})

describe('the labels of a post', () => {
  test('are given when it is created, and shown in every answer about it', async () => {
    const [first = '', second = ''] = await makeLabels(2)
    const id = await api.create({ labels: [second, first], scheduledAt: inDays(2) })
    const plain = await api.create({ scheduledAt: inDays(3) })
    expect(await labelsOf(id)).toEqual([first, second])
    expect(await api.get(plain)).not.toHaveProperty('labels')
    expect((await entries()).map(({ labels }) => labels)).toEqual([[first, second], undefined])
    const { workspaceId } = api
    const find = await api.ctx.db.readOnly(workspaceId, (tx) => loadEventPosts(tx, [{ workspaceId, postId: id }]))
    expect(find({ workspaceId, postId: id }, { event: 'upload.scheduled', atMs: 0 })).toMatchObject({ labels: [first, second] })
  })

  test('change with a draft and with a scheduled post, and stay when they are not named', async () => {
    const [first = '', second = ''] = await makeLabels(2)
    const draft = await api.create({ saveDraft: true, labels: [first] })
    await api.send('PATCH', `/content/${draft}`, { text: 'Other words' })
    expect(await labelsOf(draft)).toEqual([first])
    await api.send('PATCH', `/content/${draft}`, { labels: [second] })
    expect(await labelsOf(draft)).toEqual([second])
    await api.send('PATCH', `/content/${draft}`, { labels: null })
    expect(await labelsOf(draft)).toBeUndefined()
    const scheduled = await api.create({ scheduledAt: inDays(2) })
    const { data } = await api.send('PATCH', `/content/${scheduled}`, { keepSchedule: true, labels: [first, second] })
    expect(data).toMatchObject({ status: 'scheduled', labels: [first, second] })
  })

  test('guarantee: a change of one post takes nothing from the others', async () => {
    const [first = '', second = ''] = await makeLabels(2)
    const [changed, other] = [
      await api.create({ saveDraft: true, labels: [first] }),
      await api.create({ saveDraft: true, labels: [first] }),
    ]
    await api.send('PATCH', `/content/${changed}`, { labels: [second] })
    await bulk({ ids: [changed], add: [], remove: [second] })
    expect([await labelsOf(changed), await labelsOf(other)]).toEqual([undefined, [first]])
  })

  test('are added to many posts and taken away, in any state, without a change of their time', async () => {
    const [first = '', second = ''] = await makeLabels(2)
    const done = await api.create({ labels: [first] })
    await api.setPost(done, { status: 'completed' })
    const scheduled = await api.create({ scheduledAt: inDays(2) })
    const before = await api.get(scheduled)
    const { data } = await bulk({ ids: [done, scheduled, unknown], add: [second], remove: [first] })
    expect(data).toMatchObject({ succeeded: 2, failed: [{ id: unknown, code: 'post_not_found' }] })
    expect(await labelsOf(done)).toEqual([second])
    const after = await api.get(scheduled)
    expect(after).toEqual({ ...before, labels: [second], updatedAt: after.updatedAt })
    expect(after.updatedAt > before.updatedAt).toBe(true)
    // What is as it was wished is not written again.
    await bulk({ ids: [scheduled], add: [second], remove: [unknown] })
    expect((await api.get(scheduled)).updatedAt).toBe(after.updatedAt)
  })

  test('guarantee: are at most ten, whichever way they are given', async () => {
    const made = await makeLabels(11)
    const [last = '', ...ten] = made
    const refused = await api.send('POST', '/content/text', { connections: [api.first], text: 'x', labels: made })
    expect(refused.error?.code).toBe('request_invalid')
    const id = await api.create({ saveDraft: true, labels: ten })
    expect((await bulk({ ids: [id], add: [last] })).data.failed).toMatchObject([{ id, code: 'labels_full' }])
    expect(await labelsOf(id)).toEqual(ten)
    await bulk({ ids: [id], add: [last], remove: ten.slice(0, 1) })
    expect(await labelsOf(id)).toEqual([last, ...ten.slice(1)])
    expect((await api.send('PATCH', `/content/${id}`, { labels: made })).error?.code).toBe('request_invalid')
  })

  test('go with the label, which says how many posts had it, and with the post', async () => {
    const [label = '', kept = ''] = await makeLabels(2)
    const posts = [await api.create({ labels: [label, kept] }), await api.create({ labels: [label] })]
    await api.create({ labels: [label] }).then((id) => api.send('DELETE', `/content/${id}`))
    expect((await api.send<{ posts: number }>('DELETE', `/labels/${label}`)).data).toEqual({ posts: 2 })
    expect(await Promise.all(posts.map(labelsOf))).toEqual([[kept], undefined])
  })
})

describe('a filter by label', () => {
  test('guarantee: finds the posts that have one of the labels, in the list and in the calendar', async () => {
    const [first = '', second = ''] = await makeLabels(2)
    const both = await api.create({ labels: [first, second], scheduledAt: inDays(2) })
    const one = await api.create({ labels: [second], scheduledAt: inDays(3) })
    await api.create({ scheduledAt: inDays(4) })
    expect(await found(`label=${first}`)).toEqual([both])
    expect(await found(`label=${first},${second}`)).toEqual([one, both])
    expect(await found(`label=${second}&sort=scheduledAt`)).toEqual([both, one])
    expect(await found(`label=${second}&platform=mastodon&limit=50`)).toEqual([one, both])
    expect(await found(`label=${second}&status=draft`)).toEqual([])
    expect(await found(`label=${unknown}`)).toEqual([])
    const shown = async (label: string) => (await entries(`&label=${label}`)).map(({ uploadId }) => uploadId)
    expect(await shown(first)).toEqual([both])
    expect(await shown(`${first},${second}`)).toEqual([both, one])
    expect((await api.send('GET', '/content?label=Concerts')).error?.code).toBe('request_invalid')
  })
})

describe('another workspace', () => {
  test('guarantee: its labels look like unknown ones, and no post can have them', async () => {
    const { id: foreign } = await makeLabel()
    await api.create({ labels: [foreign] })
    await api.openWorkspace()
    expect(await list()).toEqual([])
    expect(await found(`label=${foreign}`)).toEqual([])
    expect((await api.send('PATCH', `/labels/${foreign}`, { color: 'red' })).status).toBe(404)
    expect((await api.send('DELETE', `/labels/${foreign}`)).status).toBe(404)
    const draft = await api.create({ saveDraft: true })
    for (const labels of [[foreign], [unknown]]) {
      const fields = { connections: [api.first], text: 'x', labels }
      const replies = [
        await api.send('POST', '/content/text', fields),
        await api.send('PATCH', `/content/${draft}`, { labels }),
        await bulk({ ids: [draft], add: labels }),
      ]
      expect(replies.map(({ status, error }) => [status, error?.code])).toEqual(replies.map(() => [422, 'request_invalid']))
    }
    expect(await labelsOf(draft)).toBeUndefined()
    expect((await makeLabel()).name).toBe('Concerts')
  })
})

test('an export has the labels of the workspace, and of each post', async () => {
  const label = await makeLabel()
  const id = await api.create({ labels: [label.id] })
  const page = async (cursor: string) =>
    (await api.send<ExportPage>('GET', `/workspaces/${api.workspaceId}/export?cursor=${cursor}`)).data.records
  expect(await page('labels')).toEqual([label])
  expect(await page('posts')).toMatchObject([{ uploadId: id, labels: [label.id] }])
})

test('a key for drafts labels drafts, and neither posts that are out nor the labels themselves', async () => {
  const label = await makeLabel()
  const [draft, done] = [await api.create({ saveDraft: true }), await api.create()]
  await api.setPost(done, { status: 'completed' })
  const key = { label: 'narrow', scopes: ['content:read', 'content:draft'] }
  api.apiKey = (await api.send<ApiKey>('POST', `/workspaces/${api.workspaceId}/api-keys`, key)).data.key ?? ''
  const { data } = await bulk({ ids: [draft, done], add: [label.id] })
  expect(data).toMatchObject({ succeeded: 1, failed: [{ id: done, code: 'scope_missing' }] })
  expect((await api.send('DELETE', `/labels/${label.id}`)).error?.code).toBe('scope_missing')
})
