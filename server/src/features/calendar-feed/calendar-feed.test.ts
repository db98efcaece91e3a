import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReturnsOf, calendarFeed } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../posts/post-api.fixture.ts'
import { calendarFeedRoutes, calendarFileRoutes } from './calendar-feed.routes.ts'
import { writeCalendar } from './write-calendar.ts'

/** Guarantee: a calendar feed shows posts that are scheduled or published, and nothing more once its address is revoked. */

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-feed-'))
  api = await PostApi.start(dir, { routes: [calendarFeedRoutes], root: [calendarFileRoutes] })
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

type Made = ReturnsOf<typeof calendarFeed.create>
const make = async (body: object = {}) => (await api.send<Made>('POST', '/calendar-feed', body)).data
const read = (url: string, headers: Record<string, string> = {}) => api.server.app.inject({ url: new URL(url).pathname, headers })

test('guarantee: has scheduled posts and no drafts, and ends when it is renewed or revoked', async () => {
  const scheduledAt = inDays(2)
  await api.send('POST', '/content/text', { connections: [api.first], text: 'Ding, dong;\nEND:VEVENT', scheduledAt })
  await api.send('POST', '/content/text', { connections: [api.first], text: 'Secret draft', scheduledAt, saveDraft: true })
  const first = await make()
  const answer = await read(first.url)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(answer.body).toContain('SUMMARY:Ding\\, dong\\;\\nEND:VEVENT (')
  expect(answer.body).toContain(`DTSTART:${scheduledAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z`)
  expect(answer.body.match(/^BEGIN:VEVENT/gm)).toHaveLength(1)
  expect(answer.body).not.toContain('Secret')
  expect((await read(first.url, { 'if-none-match': String(answer.headers['etag']) })).statusCode).toBe(304)

  const second = await make({ texts: false })
  for (const headers of [{}, { 'if-none-match': String(answer.headers['etag']) }]) {
    const old = await read(first.url, headers)
    expect([old.statusCode, old.body.includes('Ding')]).toEqual([404, false])
  }
  const without = await read(second.url)
  expect([without.statusCode, without.body.includes('Ding')]).toEqual([200, false])
  expect((await api.send<Made>('GET', '/calendar-feed')).data).toEqual({ texts: false, createdAt: second.createdAt })
  expect((await api.send('DELETE', '/calendar-feed')).status).toBe(200)
  expect((await read(second.url)).statusCode).toBe(404)
  expect((await api.send('GET', '/calendar-feed')).data).toBeNull()
})

test('guarantee: neither the database nor a repeated answer has the secret', async () => {
  const { url } = await make()
  const secret = url.slice(url.lastIndexOf('/') + 1, -'.ics'.length)
  const rows = await api.ctx.db.system.selectFrom('calendar_feed').selectAll().execute()
  expect(JSON.stringify(rows.map((row) => ({ ...row, token_hash: row.token_hash.toString('latin1') })))).not.toContain(secret)
  expect(secret.length).toBeGreaterThan(40)
})

test('long lines are folded by bytes and come together again', () => {
  const summary = 'ä'.repeat(100)
  const entry = {
    uploadId: 'u',
    at: inDays(1),
    status: 'scheduled' as const,
    updatedAt: inDays(0),
    summary,
    url: 'https://x.example',
  }
  const text = writeCalendar('Tower', [entry])
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}\r\n`)
})
