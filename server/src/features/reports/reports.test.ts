import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Label, type Report, type ReportLanguage, reportLanguages, reportsMax } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saveFigures } from '../analytics/metric.store.ts'
import { labelRoutes } from '../labels/label.routes.ts'
import { deleteMember } from '../members/member.store.ts'
import { commentRoutes } from '../posts/comments/comment.routes.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { reportPageRoutes, reportRoutes } from './report.routes.ts'

let api: PostApi
let dir: string
let nowMs = 0

const dayMs = 86_400_000
const none = { likes: 0, comments: 0, shares: 0, impressions: 0, clicks: 0, saves: 0 }
type Figures = Partial<Record<keyof typeof none, number | null>>

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-reports-'))
  api = await PostApi.start(dir, {
    routes: [reportRoutes, labelRoutes, commentRoutes],
    root: [reportPageRoutes],
    replace: { nowMs: () => nowMs },
  })
}, 60_000)

beforeEach(async () => {
  nowMs = Date.now()
  await api.openWorkspace()
})

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

type Published = { at: string; text?: string; figures?: Figures | null; slugs?: string[]; labels?: string[]; url?: string }

/** A post that was published at this time, with these figures for each of its channels; null: none were collected. */
async function publish({
  at,
  text = 'The bells ring.',
  figures = {},
  slugs = [api.first],
  labels,
  url,
}: Published): Promise<string> {
  const id = await api.create({ connections: slugs, text, ...(labels && { labels }) })
  const time = new Date(at)
  for (const slug of slugs)
    await api.setChannel(
      id,
      {
        state: 'published',
        platform_post_id: `${id}-${slug}`,
        published_at: time,
        finished_at: time,
        ...(url && { post_url: url }),
      },
      slug,
    )
  if (figures === null) return id
  const channels = (await api.channels(id)).map((channel) => ({
    channelId: channel.id,
    publishedAt: time,
    figures: { ...none, ...figures },
  }))
  const { workspaceId } = api
  await api.ctx.db.tenant(workspaceId, (tx) => saveFigures(tx, { workspaceId, platform: 'mastodon', at: new Date() }, channels))
  return id
}

const october = { title: 'October at the tower', from: '2026-10-01', to: '2026-10-31' }
const make = async (body: object = {}) =>
  (await api.send<Report>('POST', `/workspaces/${api.workspaceId}/reports`, { ...october, ...body })).data
const refusal = async (body: object) => {
  const { status, error } = await api.send('POST', `/workspaces/${api.workspaceId}/reports`, { ...october, ...body })
  return [status, error?.code]
}
const list = async () => (await api.send<Report[]>('GET', `/workspaces/${api.workspaceId}/reports`)).data

async function open(link: string, headers: Record<string, string> = {}) {
  const {
    statusCode: status,
    body: html,
    headers: answered,
  } = await api.server.app.inject({ url: new URL(link).pathname, headers })
  // The words that a reader sees, without the style sheets.
  const text = html
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return { status, html, text, headers: answered }
}

const newLabel = async (name: string) =>
  (await api.send<Label>('POST', '/labels', { name, color: 'teal', kind: 'campaign' })).data.id

test('guarantee: a report shows what was published in its period, and no draft, comment or other time', async () => {
  const id = await publish({
    at: '2026-10-10T09:00:00Z',
    text: 'In October',
    figures: { likes: 5, impressions: 100 },
    url: 'https://social.example/1',
  })
  await publish({ at: '2026-11-01T09:00:00Z', text: 'In November' })
  await api.create({ text: 'Only a draft', saveDraft: true })
  await api.send('POST', `/content/${id}/comments`, { text: 'Between us' })
  const { status, text, headers } = await open((await make()).link)
  expect(status).toBe(200)
  for (const shown of ['October at the tower', 'Tower', '31 October 2026', 'In October', 'Mastodon'])
    expect(text).toContain(shown)
  for (const hidden of ['In November', 'Only a draft', 'Between us', '@example.com']) expect(text).not.toContain(hidden)
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
  })
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';/)
  expect(headers['content-security-policy']).not.toContain('script-src')
})

test('guarantee: a report of a label or of accounts shows nothing else, in none of its figures', async () => {
  const label = await newLabel('Spring')
  await publish({ at: '2026-10-10T09:00:00Z', text: 'Of the campaign', labels: [label], figures: { impressions: 111 } })
  await publish({ at: '2026-10-11T09:00:00Z', text: 'Of nobody', slugs: [api.second], figures: { impressions: 7000 } })
  const ofLabel = await open((await make({ label })).link)
  expect(ofLabel.text).toContain('Campaign: Spring')
  const ofAccount = await open((await make({ connections: [api.first] })).link)
  for (const { text } of [ofLabel, ofAccount]) {
    expect(text).toContain('Of the campaign')
    expect(text).toContain('Impressions 111')
    for (const hidden of ['Of nobody', '7,0', '7,1', 'second']) expect(text).not.toContain(hidden)
  }
})

test('guarantee: a report has nothing of another workspace, and another workspace cannot list or end it', async () => {
  await publish({ at: '2026-10-10T09:00:00Z', text: 'Ours' })
  const { link, id } = await make()
  const own = api.workspaceId
  await api.openWorkspace()
  await publish({ at: '2026-10-10T09:00:00Z', text: 'Theirs' })
  expect(await list()).toEqual([])
  expect((await api.send('DELETE', `/workspaces/${api.workspaceId}/reports/${id}`)).error?.code).toBe('report_not_found')
  expect((await api.send('DELETE', `/workspaces/${own}/reports/${id}`)).error?.code).toBe('workspace_not_found')
  const { text } = await open(link)
  expect([text.includes('Ours'), text.includes('Theirs')]).toEqual([true, false])
})

test('guarantee: a link that was ended, that expired and that never was are the same page', async () => {
  await publish({ at: '2026-10-10T09:00:00Z', text: 'Not to be read' })
  const [ended, expired] = [await make(), await make({ expiresAt: new Date(nowMs + dayMs).toISOString() })]
  // Opened before, so that the figures of the last minute are there.
  expect([(await open(ended.link)).status, (await open(expired.link)).status]).toEqual([200, 200])
  await api.send('DELETE', `/workspaces/${api.workspaceId}/reports/${ended.id}`)
  expect((await list()).map(({ id }) => id)).toEqual([expired.id])
  nowMs += dayMs
  const links = [ended.link, expired.link, `https://x.example/report/${'A'.repeat(43)}`, 'https://x.example/report/short']
  const pages = await Promise.all(links.map((link) => open(link)))
  expect(pages.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(new Set(pages.map(({ html }) => html)).size).toBe(1)
  expect(pages[0]?.text).not.toContain('Not to be read')
})

test('guarantee: a report ends with its label, and stays when its maker leaves', async () => {
  await publish({ at: '2026-10-10T09:00:00Z' })
  const label = await newLabel('Spring')
  const [ofLabel, ofAll] = [await make({ label }), await make()]
  await api.send('DELETE', `/labels/${label}`)
  expect((await open(ofLabel.link)).status).toBe(404)
  await api.ctx.db.tenant(api.workspaceId, (tx) => deleteMember(tx, api.workspaceId, api.personId))
  expect((await open(ofAll.link)).status).toBe(200)
})

test('guarantee: what nobody told is not a zero, and not compared', async () => {
  await publish({ at: '2026-10-10T09:00:00Z', figures: { likes: 4, impressions: null } })
  await publish({ at: '2026-09-20T09:00:00Z', figures: { likes: 2, impressions: 80 } })
  const { text } = await open((await make()).link)
  expect(text).toContain('Impressions not reported before: 80')
  expect(text).toContain('Engagement 4 ▲ +100% before: 2')
  expect(text).toContain('Engagement rate not reported')
  await publish({ at: '2026-10-12T09:00:00Z', figures: { likes: 1, impressions: 50 } })
  const { text: partly } = await open((await make()).link)
  expect(partly).toContain('Impressions 50 ▼ -38% before: 80 not reported for 1 post (Mastodon)')
  expect(partly).toContain('Engagement rate 2%')
})

test('a post on two accounts counts once in total, and once for each account', async () => {
  await publish({ at: '2026-10-10T09:00:00Z', slugs: [api.first, api.second], figures: { impressions: 10, likes: 1 } })
  const { text, html } = await open((await make()).link)
  expect(text).toContain('Posts 1 ')
  expect(text).toContain('Impressions 20')
  expect(html.match(/<tr role="row"><th scope="row"/g)).toHaveLength(2)
  expect(html.match(/<li><div>/g)).toHaveLength(1)
})

test('guarantee: days are those of the time zone of the workspace', async () => {
  await api.ctx.db.system.updateTable('workspace').set({ timezone: 'Asia/Tokyo' }).where('id', '=', api.workspaceId).execute()
  await publish({ at: '2026-09-30T15:30:00Z', text: 'First of October there' })
  await publish({ at: '2026-10-31T15:30:00Z', text: 'First of November there' })
  const { text } = await open((await make()).link)
  expect([text.includes('First of October there'), text.includes('First of November there')]).toEqual([true, false])
  expect(text).toContain('1 October 2026 at 00:30')
})

test('guarantee: texts of a workspace are text in the page, in every place', async () => {
  const evil = `"><script>alert('x')</script><img src=x onerror=y>&\u202e`
  await api.ctx.db.system.updateTable('workspace').set({ name: evil }).where('id', '=', api.workspaceId).execute()
  const label = await newLabel(evil)
  const id = await publish({ at: '2026-10-10T09:00:00Z', text: evil, labels: [label], url: 'javascript:alert(1)' })
  await api.setPost(id, { title: evil })
  await api.setChannel(id, { target_name: evil })
  const second = await publish({ at: '2026-10-11T09:00:00Z', labels: [label], url: `https://social.example/"onmouseover="x` })
  await api.setChannel(second, { target_name: evil })
  const { html } = await open((await make({ title: evil, label })).link)
  const tags = html.replaceAll(/<style>.*?<\/style>/gs, '').match(/<[^>]*>/g) ?? []
  // A value in quotes may contain anything but quotes: those of the texts are escaped.
  const names = tags.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))
  expect(names.filter((tag) => /script|<img|\son\w+\s*=|[&'`]/i.test(tag))).toEqual([])
  expect(tags.filter((tag) => /(?:href|src|action)="\s*javascript:/i.test(tag))).toEqual([])
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(6)
})

test('guarantee: who opens a report often does not make the database count often, and is stopped', async () => {
  await publish({ at: '2026-10-10T09:00:00Z', text: 'First' })
  const { link } = await make()
  expect((await open(link)).text).toContain('First')
  await publish({ at: '2026-10-11T09:00:00Z', text: 'Second' })
  expect((await open(link)).text).not.toContain('Second')
  nowMs += 61_000
  expect((await open(link)).text).toContain('Second')
  for (let opened = 3; opened < 300; opened++) await open(link)
  const { status, headers, text } = await open(link)
  expect([status, text.includes('Too many visits')]).toEqual([429, true])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await open((await make()).link)).status).toBe(200)
}, 60_000)

test('a report has the language that was chosen, with its numbers and dates', async () => {
  await publish({ at: '2026-10-10T09:00:00Z', figures: { impressions: 12_345, likes: 200 } })
  const expected: Record<ReportLanguage, string[]> = {
    en: ['Best posts', '12,345', '31 October 2026', 'Privacy'],
    de: ['Beste Beiträge', '12.345', '31. Oktober 2026', 'Datenschutz'],
    fr: ['Meilleures publications', '12 345', '31 octobre 2026', 'Confidentialité'],
    es: ['Mejores publicaciones', '12.345', '31 de octubre de 2026', 'Privacidad'],
  }
  for (const language of reportLanguages) {
    const { html, text } = await open((await make({ language })).link)
    expect(html).toContain(`<html lang="${language}">`)
    for (const words of expected[language]) expect(text).toContain(words)
  }
})

test('a period without posts says so', async () => {
  const { text } = await open((await make()).link)
  expect(text).toContain('Nothing was published in this period.')
})

test('what cannot be a report is refused', async () => {
  expect(await refusal({ to: '2026-09-30' })).toEqual([422, 'request_invalid'])
  expect(await refusal({ from: '2025-10-01', to: '2026-10-31' })).toEqual([422, 'request_invalid'])
  expect(await refusal({ title: ' ' })).toEqual([422, 'request_invalid'])
  expect(await refusal({ expiresAt: new Date(nowMs).toISOString() })).toEqual([422, 'request_invalid'])
  expect(await refusal({ expiresAt: new Date(nowMs + 367 * dayMs).toISOString() })).toEqual([422, 'request_invalid'])
  expect(await refusal({ label: 'a'.repeat(24) })).toEqual([404, 'label_not_found'])
  expect((await refusal({ connections: ['nobody'] }))[1]).toBe('connection_unknown')
})

test('guarantee: a workspace has a limited number of reports, and its secrets are not in the database', async () => {
  const { link } = await make()
  const token = new URL(link).pathname.slice('/report/'.length)
  const { system } = api.ctx.db
  const row = await system
    .selectFrom('client_report')
    .where('workspace_id', '=', api.workspaceId)
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(row) + row.token_sealed.toString('latin1') + row.token_hash.toString('latin1')).not.toContain(token)
  expect((await list()).map((report) => report.link)).toEqual([link])
  const more = Array.from({ length: reportsMax - 1 }, (_, at) => ({
    ...row,
    id: `more${at}`,
    token_hash: Buffer.from(`more${at}`),
  }))
  await system
    .insertInto('client_report')
    .values(more.map((each) => ({ ...each, first_day: '2026-10-01', last_day: '2026-10-31' })))
    .execute()
  expect((await refusal({}))[1]).toBe('quota_reached')
})
