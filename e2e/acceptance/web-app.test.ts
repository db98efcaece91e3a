import type { AnalyticsGroup, ApiKey, Attention, AuditEntry, Connection, Delivery, Media, MediaUpload, Post } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { queryDatabase } from '../support/query-database.ts'
import { row } from '../coverage/rows.ts'
import { Browser } from '../support/browser.ts'
import { call, callData } from '../support/call.ts'
import { makePng } from '../support/files.ts'
import { inviteAndAccept } from '../support/invite-and-accept.ts'
import { createDraft, createPost, createScheduled, dayMs, uploadMedia } from '../support/posts.ts'
import { bluesky, testStack, timeAfter, uniqueText, waitUntilFinished } from '../test-stack.ts'

const at = `/workspaces/${testStack.workspaceId}`
const server = testStack.baseUrl.replace(/\/api$/, '')
const asOther = { key: testStack.otherApiKey, workspace: testStack.otherWorkspaceId }

type Entry = { uploadId: string; at: string; status: string; excerpt: string; connections: string[] }

row('D 13 calendar', async () => {
  const text = uniqueText('calendar')
  const [later, sooner] = [timeAfter(41 * dayMs), timeAfter(40 * dayMs)]
  const second = await createScheduled({ text, scheduledAt: later })
  const first = await createScheduled({ text, scheduledAt: sooner })
  const calendar = async (more: Record<string, string> = {}) => {
    const query = { from: timeAfter(39 * dayMs), to: timeAfter(42 * dayMs), search: text, ...more }
    return callData<{ entries: Entry[]; truncated: boolean }>('GET /content/calendar', { query })
  }
  const { entries, truncated } = await calendar()
  expect([entries.map(({ uploadId }) => uploadId), truncated]).toEqual([[first, second], false])
  expect(entries[0]).toMatchObject({ at: sooner, status: 'scheduled', excerpt: text })
  expect((await calendar({ connection: bluesky, platform: 'bluesky', status: 'scheduled' })).entries).toHaveLength(2)
  expect((await calendar({ status: 'failed' })).entries).toEqual([])
  const compressed = await call('GET /content/calendar', {
    query: { from: sooner, to: later },
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  for (const id of [first, second]) await callData(`DELETE /content/${id}`)
})

row('D 13 timeline', async () => {
  const { uploadId } = await waitUntilFinished(
    (await createPost({ connections: [bluesky, testStack.failConnection] })).data.uploadId,
  )
  const entries = await callData<{ stage: string; code: string | null }[]>(`GET /content/${uploadId}/timeline`)
  const stages = entries.map(({ stage }) => stage)
  expect(stages.filter((stage) => stage === 'queued')).toHaveLength(2)
  expect(stages).toEqual(expect.arrayContaining(['sent', 'confirmed', 'failed']))
  expect(entries.find(({ stage }) => stage === 'failed')?.code).toEqual(expect.any(String))
})

/** Reads the stream until `text` has arrived. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, text: string): Promise<string> {
  const decoder = new TextDecoder()
  let read = ''
  while (!read.includes(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the stream ended after ${read}`)
    read += decoder.decode(value, { stream: true })
  }
  return read
}

row(
  'D 13 live',
  async () => {
    const browser = new Browser()
    await browser.signIn()
    const { id } = (await browser.open('POST /api/workspaces', { body: { name: uniqueText('Live') } })).data as { id: string }
    const open = (path: string, headers: Record<string, string>) => fetch(`${server}/api/workspaces/${path}/live`, { headers })
    const response = await open(id, { cookie: browser.cookie })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const reader = response.body?.getReader()
    if (!reader) throw new Error('the stream has no body')
    await browser.open(`PATCH /api/workspaces/${id}`, { body: { name: uniqueText('Live') } })
    const changedMs = performance.now()
    const seen = await readUntil(reader, `event: workspace.changed\ndata: {"ids":["${id}"]`)
    expect(performance.now() - changedMs).toBeLessThan(5000)
    await reader.cancel()

    await browser.open(`PATCH /api/workspaces/${id}`, { body: { name: uniqueText('Live') } })
    const lastId = [...seen.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? ''
    const again = await open(id, { cookie: browser.cookie, 'last-event-id': lastId })
    const rest = again.body?.getReader()
    if (!rest) throw new Error('the stream has no body')
    await readUntil(rest, 'event: workspace.changed')

    expect((await open(testStack.workspaceId, { cookie: browser.cookie })).status).toBe(404)
    expect((await open(id, { authorization: `Bearer ${testStack.apiKey}` })).status).toBe(401)
    await browser.open('POST /auth/sign-out', { body: {} })
    for (let done = false; !done;) done = (await rest.read()).done
  },
  60_000,
)

row('D 13 attention', async () => {
  const counts = () => callData<Attention>(`GET ${at}/attention`)
  const before = await counts()
  await waitUntilFinished((await createPost({ connections: [testStack.failConnection] })).data.uploadId)
  await waitUntilFinished((await createPost({ connections: [testStack.unconfirmedConnection] })).data.uploadId)
  const after = await counts()
  expect(Object.keys(after).toSorted()).toEqual(['expiring', 'failed', 'late', 'needsReconnect', 'posts', 'unconfirmed'])
  expect([after.failed, after.unconfirmed]).toEqual([before.failed + 1, before.unconfirmed + 1])
  expect([after.posts.failed, after.posts.unconfirmed]).toEqual([before.posts.failed + 1, before.posts.unconfirmed + 1])
})

row('D 13 usage', async () => {
  type Used = { posts: { count: number }; storage: { usedBytes: number }; ai: { usedTokens: number } | null }
  const usage = () => callData<Used>(`GET ${at}/usage`)
  const before = await usage()
  const { sizeBytes } = await uploadMedia(makePng(65), 'usage.png')
  const body = { uploadType: 'text', platforms: ['bluesky'], text: 'The bells ring at nine' }
  expect((await call('POST /ai/generate-content', { body })).status).toBe(200)
  const after = await usage()
  expect(after.storage.usedBytes - before.storage.usedBytes).toBe(sizeBytes)
  expect(after.ai?.usedTokens).toBeGreaterThan(before.ai?.usedTokens ?? Number.POSITIVE_INFINITY)
  expect(after.posts).toMatchObject({ count: expect.any(Number), limit: expect.any(Number), remaining: expect.any(Number) })
  expect((await call(`GET ${at}/usage`, asOther)).error.code).toBe('workspace_not_found')
})

row('D 13 me', async () => {
  const body = { locale: 'de', timezone: 'Europe/Berlin', weekStart: 'monday', hourCycle: 'h23', theme: 'dark' }
  expect(await callData('PATCH /me', { body })).toMatchObject(body)
  expect(await callData('GET /me')).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    email: 'demo@example.com',
    ...body,
  })
  expect(await callData('PATCH /me', { body: { theme: null } })).toMatchObject({ ...body, theme: null })
  expect((await call('PATCH /me', { body: { timezone: 'Europe/Atlantis' } })).error.details?.[0]?.path).toBe('timezone')
  expect(await callData('GET /me', { key: testStack.otherApiKey })).toMatchObject({ email: 'other@example.com', theme: null })
})

row('D 13 pictures', async () => {
  const media = await uploadMedia(makePng(61), 'picture.png')
  const path = `${at}/media/${media.id}/thumbnail`
  const picture = await call(`GET ${path}`)
  expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual([
    200,
    'image/webp',
    'private, max-age=86400',
  ])
  const etag = picture.headers.get('etag') ?? ''
  expect((await call(`GET ${path}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const [connection] = await callData<Connection[]>(`GET ${at}/connections`)
  // Accounts that an operator adds have no picture, so this one gets the picture of the platform here.
  const source = `${testStack.simulatorUrl}/avatar/demo.png`
  await queryDatabase('update connection set avatar_url = $2 where id = $1', [connection?.id, source])
  const avatar = await call(`GET ${at}/connections/${connection?.id}/avatar`)
  expect([avatar.status, avatar.headers.get('content-type')]).toEqual([200, 'image/webp'])
  for (const each of [path, `${at}/connections/${connection?.id}/avatar`]) {
    expect([each, (await call(`GET ${each}`, asOther)).error.code]).toEqual([each, 'workspace_not_found'])
    const own = each.replace(testStack.workspaceId, testStack.otherWorkspaceId)
    expect([own, (await call(`GET ${own}`, asOther)).status]).toEqual([own, 404])
  }
})

row('D 13 list filters', async () => {
  const text = uniqueText('filtered')
  const later = await createScheduled({ text, scheduledAt: timeAfter(21 * dayMs) })
  const sooner = await createScheduled({ text, scheduledAt: timeAfter(20 * dayMs) })
  const list = async (query: Record<string, string | number>) =>
    callData<{ data: Post[]; meta: { total: number; nextCursor: string | null } }>('GET /content', {
      query: { search: text, ...query },
    })
  const ids = async (query: Record<string, string | number>) => (await list(query)).data.map(({ uploadId }) => uploadId)
  expect(await ids({})).toEqual([sooner, later])
  expect(await ids({ sort: 'scheduledAt' })).toEqual([sooner, later])
  const { meta } = await list({ sort: 'scheduledAt', limit: 1 })
  expect(await ids({ sort: 'scheduledAt', limit: 1, cursor: meta.nextCursor ?? '' })).toEqual([later])
  expect([await ids({ connection: bluesky }), (await list({ connection: bluesky })).meta.total]).toEqual([[sooner, later], 2])
  expect(await ids({ connection: testStack.failConnection })).toEqual([])

  const tag = uniqueText('tag').replace(' ', '-')
  const [a, b] = [await uploadMedia(makePng(62), 'b.png'), await uploadMedia(makePng(63), 'A.png')]
  for (const { id } of [a, b]) await callData(`PATCH /media/${id}`, { body: { tags: [tag] } })
  await createDraft({ connections: [testStack.photoConnections[0]], medias: [a.id] }, 'photos')
  const media = async (query: Record<string, string>) =>
    (await callData<{ results: Media[] }>('GET /media', { query: { tags: tag, ...query } })).results.map(({ id }) => id)
  expect(await media({ sort: 'name' })).toEqual([b.id, a.id])
  expect(await media({ sort: 'sizeBytes' })).toHaveLength(2)
  expect([await media({ unused: 'true' }), await media({ unused: 'false' })]).toEqual([[b.id], [a.id]])
  await callData(`PATCH /media/${a.id}`, { body: { alt: 'A bell' } })
  expect([await media({ withoutAlt: 'true' }), await media({ withoutAlt: 'false' })]).toEqual([[b.id], [a.id]])
  expect(await callData('GET /media/tags')).toContainEqual({ tag, count: 2 })
})

row('D 13 media fetch', async () => {
  const source = await uploadMedia(makePng(64), 'source.png')
  const fetched = await call<Media>('POST /media/fetch', { body: { url: source.url } })
  expect([fetched.status, fetched.data.mimeType, fetched.data.sizeBytes]).toEqual([201, 'image/png', source.sizeBytes])
  const refused = await call('POST /media/fetch', { body: { url: 'http://169.254.169.254/latest/meta-data' } })
  expect([refused.status, refused.error.code]).toEqual([422, 'url_refused'])
})

row('D 13 uploads', async () => {
  const bytes = makePng(65)
  const started = await callData<MediaUpload>('POST /media/uploads', { body: { name: 'resumed.png', sizeBytes: bytes.length } })
  type Upload = { id: string; name: string; sizeBytes: number; parts: { partNumber: number; url: string; etag: string | null }[] }
  const resume = () => callData<Upload>(`GET /media/uploads/${started.id}`)
  expect((await callData<Upload[]>('GET /media/uploads')).map(({ id }) => id)).toContain(started.id)
  const open = await resume()
  expect(open).toMatchObject({ name: 'resumed.png', sizeBytes: bytes.length, parts: [{ partNumber: 1, etag: null }] })
  const sent = await fetch(open.parts[0]?.url ?? '', { method: 'PUT', body: bytes })
  const [part] = (await resume()).parts
  expect(part?.etag).toBe(sent.headers.get('etag'))
  const body = { parts: [{ partNumber: 1, etag: part?.etag }] }
  expect((await callData<Media>(`POST /media/uploads/${started.id}/complete`, { body })).id).toBe(started.id)
  expect((await call(`GET /media/uploads/${started.id}`)).error.code).toBe('upload_not_found')
})

row('D 13 connection activity', async () => {
  const find = async () => (await callData<Connection[]>(`GET ${at}/connections`)).find(({ slug }) => slug === bluesky)
  const before = await find()
  const id = await createScheduled()
  await waitUntilFinished((await createPost({ connections: [bluesky] })).data.uploadId)
  const after = await find()
  expect(after?.scheduledChannels).toBeGreaterThan(before?.scheduledChannels ?? 0)
  expect(Date.parse(after?.lastPublishedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(after).toMatchObject({ statusCode: null, instanceUrl: null })
  await callData(`DELETE /content/${id}`)
})

row('D 13 key use', async () => {
  const { id, key = '', lastUsedAt, createdBy } = await callData<ApiKey>(`POST ${at}/api-keys`, { body: { label: 'used' } })
  expect([lastUsedAt, createdBy?.email]).toEqual([null, 'demo@example.com'])
  await callData('GET /content', { key })
  const used = async () => (await callData<ApiKey[]>(`GET ${at}/api-keys`)).find((each) => each.id === id)?.lastUsedAt
  await expect.poll(used).toEqual(expect.stringMatching(/^\d{4}-/))
})

row('D 13 delivery request', async () => {
  const url = `https://${testStack.webhookHost}/${uniqueText('duration').replace(' ', '-')}`
  const { id } = await callData<{ id: string }>('POST /webhooks', { body: { url, events: ['connection.needs_reconnect'] } })
  const made = await callData<Delivery>(`POST /webhooks/${id}/test`)
  expect([JSON.parse(made.requestBody), made.durationMs]).toEqual([expect.objectContaining({ event: 'webhook.test' }), null])
  const duration = async () => (await callData<Delivery[]>(`GET /webhooks/${id}/deliveries`))[0]?.durationMs
  await expect.poll(duration, { timeout: 20_000 }).toEqual(expect.any(Number))
  await callData(`DELETE /webhooks/${id}`)
})

row('D 13 audit filters', async () => {
  const id = await createDraft()
  await callData(`PATCH /content/${id}/archive`)
  type Page = { data: AuditEntry[] }
  const actions = async (query: Record<string, string>) =>
    (await callData<Page>(`GET ${at}/audit`, { query: { subjectId: id, ...query } })).data.map(({ action }) => action)
  expect(await actions({})).toEqual(['post.archive', 'post.create'])
  expect(await actions({ action: 'post.create,member' })).toEqual(['post.create'])
  expect(await actions({ action: 'post' })).toHaveLength(2)
  expect(await actions({ action: 'media' })).toEqual([])
  expect(await actions({ to: timeAfter(-dayMs) })).toEqual([])
  expect(await actions({ userId: 'nobody' })).toEqual([])
})

row('D 13 leave', async () => {
  const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Left' } })
  await inviteAndAccept(id, 'other@example.com', 'viewer')
  expect((await call(`GET /workspaces/${id}`, asOther)).status).toBe(200)
  expect((await call(`DELETE /workspaces/${id}/members/me`, asOther)).status).toBe(200)
  expect((await call(`GET /workspaces/${id}`, asOther)).status).toBe(404)
  expect((await call(`DELETE /workspaces/${id}/members/me`)).error.code).toBe('last_owner')
})

row('D 13 analytics groups', async () => {
  const { uploadId } = await waitUntilFinished((await createPost({ connections: [bluesky] })).data.uploadId)
  type Overview = { summary: { totalPublished: number }; groups: AnalyticsGroup[]; previous: { totalPublished: number } }
  const overview = (query: Record<string, string>) => callData<Overview>('GET /analytics', { query })
  const byPlatform = await overview({ by: 'platform', compare: 'previous' })
  expect(byPlatform.groups.reduce((sum, { published }) => sum + published, 0)).toBe(byPlatform.summary.totalPublished)
  expect(byPlatform.previous.totalPublished).toEqual(expect.any(Number))
  const { groups } = await overview({ by: 'connection' })
  expect(groups.find(({ connection }) => connection === bluesky)).toMatchObject({
    platform: 'bluesky',
    failed: expect.any(Number),
  })
  await callData('POST /analytics/sync')
  const ranked = async () =>
    (await callData<{ uploadId: string }[]>('GET /analytics/posts', { query: { sort: 'likes', limit: 100 } })).map(
      (post) => post.uploadId,
    )
  await expect.poll(ranked, { timeout: 30_000 }).toContain(uploadId)
})

test('guarantee: pictures and the stream need a caller', async () => {
  for (const path of [
    `${at}/live`,
    `${at}/media/0123456789abcdef01234567/thumbnail`,
    `${at}/connections/0123456789abcdef01234567/avatar`,
  ])
    expect([path, (await call(`GET ${path}`, { key: null })).status]).toEqual([path, 401])
})
