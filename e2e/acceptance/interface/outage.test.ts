import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@carillon/stack/services'
import type { Post } from '@carillon/sdk'
import { openAccount, upStack, type Stack } from '@carillon/stack'
import { afterAll, beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call, callData, type CallOptions } from '../../support/call.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { fileOf, formOf, makePng } from '../../support/files.ts'
import type { CreatedPost, MediaItem } from '../../support/posts.ts'
import { findPlatformPosts, timeAfter, uniqueText } from '../../test-stack.ts'

/** What the service does after it was down for more than a minute. This needs its own stack, because the service is killed. */
const dueInMs = 3000
const outageMs = 66_000

let stack: Stack
/** A workspace in which late posts are published at once, and one in which they are held. */
let [eager, careful]: { workspace: string; connections: string[] }[] = []
const texts = { sent: uniqueText('late and sent'), held: uniqueText('late and held') }
const ids = { sent: '', held: '', wall: '', draft: '' }
let pulledUrl = ''

const options = ({ workspace = '' }: { workspace?: string } = {}): CallOptions => {
  const { baseUrl, apiKey, workspaceId } = stack.info
  return { baseUrl, key: apiKey, workspace: workspace || workspaceId }
}
const create = async (body: Record<string, unknown>, where = eager) =>
  (await callData<CreatedPost>('POST /content/text', { ...options(where), body: { connections: where?.connections, ...body } }))
    .uploadId
const read = (id: string, where = eager) => callData<Post>(`GET /content/${id}`, options(where))
const shown = (text: string) => findPlatformPosts(text, stack.info.simulatorUrl)
/** Waits until a post has this status. */
async function waitForStatus(status: string, id: string, where = eager): Promise<void> {
  await expect.poll(async () => (await read(id, where)).status, { timeout: 45_000, interval: 250 }).toBe(status)
}

beforeAll(async () => {
  stack = await upStack({ name: 'e2e-outage', fsync: false, env: { CARILLON_MEDIA_PULL_SECONDS: '60' } })
  const { workspaceId, connections, simulatorUrl } = stack.info
  eager = { workspace: workspaceId, connections: connections.slice(0, 2) }
  careful = await newWorkspace(simulatorUrl)
  pulledUrl = await urlGivenToPlatform()
  ids.wall = await create({ text: 'by the wall clock', scheduledAt: '2028-07-01T12:00:00', timezone: 'Europe/Berlin' })
  ids.draft = await saveDraft({ text: 'a wish', scheduledAt: '2028-01-15T12:00:00', timezone: 'Australia/Sydney' })
  const scheduledAt = timeAfter(dueInMs)
  ids.sent = await create({ text: texts.sent, scheduledAt })
  ids.held = await create({ text: texts.held, scheduledAt }, careful)
  await stack.servers.all?.kill()
  await sleep(outageMs)
  await storeOlderZoneRules()
  await stack.servers.all?.restart()
}, 300_000)
afterAll(() => stack.stop())

async function newWorkspace(simulatorUrl: string): Promise<{ workspace: string; connections: string[] }> {
  const { id } = await callData<{ id: string }>('POST /workspaces', { ...options(), body: { name: 'Careful' } })
  await callData(`PATCH /workspaces/${id}`, { ...options(), body: { holdIfLateMinutes: 1 } })
  const accounts = await Promise.all(['bluesky', 'mastodon'].map((platform) => openAccount(simulatorUrl, platform, 'careful')))
  const made = (await stack.run(['connect', '--json', '--workspace', id], JSON.stringify(accounts))) as { slug: string }[]
  return { workspace: id, connections: made.map(({ slug }) => slug) }
}

async function saveDraft(body: Record<string, unknown>): Promise<string> {
  const draft = { connections: eager?.connections, saveDraft: true, ...body }
  return (await callData<CreatedPost>('POST /content/text', { ...options(), body: draft })).draftId
}

/** Publishes a photo on a platform that fetches media from a URL, and returns that URL. */
async function urlGivenToPlatform(): Promise<string> {
  const slug = stack.info.connections.find((each) => each.startsWith('instagram-'))
  const form = formOf(['file', fileOf(makePng(1), 'pulled.png')])
  const { id } = await callData<MediaItem>('POST /media/upload', { ...options(), form })
  const text = uniqueText('pulled')
  const body = { connections: [slug], text, medias: [id] }
  const { uploadId } = await callData<CreatedPost>('POST /content/photos', { ...options(), body })
  const isDone = async () => (await read(uploadId)).status === 'completed'
  await waitUntil(isDone, { what: 'the photo to be published', withinMs: 60_000 })
  const url = (await shown(text))[0]?.media[0]?.fetchedFrom ?? ''
  expect((await fetch(url)).status).toBe(200)
  return url
}

/** Changes the stored times as if they had been computed when these zones were an hour further west. */
async function storeOlderZoneRules(): Promise<void> {
  const url = stack.info.databaseUrl
  const later = `+ interval '1 hour'`
  await queryDatabase(`update post set scheduled_at = scheduled_at ${later} where id = any($1)`, [[ids.wall, ids.draft]], url)
  const times = `due_at = due_at ${later}, dispatch_at = dispatch_at ${later}`
  await queryDatabase(`update channel set ${times} where post_id = $1`, [ids.wall], url)
  await queryDatabase(`update zone_rules set edition = '2020a'`, [], url)
}

row('D 6 late', async () => {
  await waitForStatus('completed', ids.sent)
  const { channels, scheduledAt } = await read(ids.sent)
  const posts = await shown(texts.sent)
  expect([channels.length, posts.length]).toEqual([2, 2])
  const dueMs = Date.parse(scheduledAt ?? '')
  for (const { result } of channels) {
    expect(result).toMatchObject({ status: 'success', attempts: 1 })
    const delayMs = result.late?.delayMs ?? 0
    expect(delayMs).toBeGreaterThanOrEqual(outageMs - dueInMs - 1000)
    expect(Math.abs(dueMs + delayMs - Date.parse(result.publishedAt ?? ''))).toBeLessThan(5000)
  }
})

row('D 6 hold if late', async () => {
  await waitForStatus('draft', ids.held, careful)
  const post = await read(ids.held, careful)
  expect(post.warnings.join()).toContain(post.scheduledAt?.slice(0, 16).replace('T', ' '))
  expect(post.channels.map(({ result }) => [result.status, result.attempts, result.late])).toEqual([
    ['pending', 0, null],
    ['pending', 0, null],
  ])
  expect(await shown(texts.held)).toEqual([])
  // It is a draft again. When a person publishes it, it is published at once and does not count as late.
  await callData(`POST /content/${ids.held}/publish`, options(careful))
  await waitForStatus('completed', ids.held, careful)
  const again = await read(ids.held, careful)
  expect([again.warnings, again.channels.map(({ result }) => result.late)]).toEqual([[], [null, null]])
  expect(await shown(texts.held)).toHaveLength(2)
})

row('D 5 zone rules', async () => {
  await expect.poll(async () => (await read(ids.wall)).scheduledAt, { timeout: 10_000 }).toBe('2028-07-01T10:00:00.000Z')
  await expect.poll(async () => (await read(ids.draft)).scheduledAt).toBe('2028-01-15T01:00:00.000Z')
  // The channels must have moved too, so that nothing is published at the old time.
  const due = await queryDatabase<{ at: Date }>(
    'select distinct dispatch_at as at from channel where post_id = $1',
    [ids.wall],
    stack.info.databaseUrl,
  )
  expect(due).toEqual([{ at: new Date('2028-07-01T10:00:00Z') }])
  expect((await call(`POST /content/${ids.wall}/publish-now`, options())).status).toBe(200)
})

row('D 7 signed url ends', async () => {
  const response = await fetch(pulledUrl)
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('address_refused')])
  const later = new URL(pulledUrl)
  later.searchParams.set('expires', String(Math.ceil(Date.now() / 1000) + 3600))
  expect((await fetch(later)).status).toBe(403)
})
