import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventName, Notice, NoticeSettings, Role } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { relayEvents } from '../../commands/run-worker.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { openMail } from '../../infra/mail/queue-mail.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { insertMember } from '../members/member.store.ts'
import { channelError } from '../posts/channel-error.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { deriveNotices, windowMs } from './derive-notices.ts'
import { personNoticeRoutes } from './notice.routes.ts'
import { sendDigests } from './send-digests.ts'
import { tellNotices } from './tell-notices.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'

let api: PostApi
let dir: string
let aheadMs = 0
const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + aheadMs + days * dayMs).toISOString()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-notices-'))
  api = await PostApi.start(dir, {
    routes: [personNoticeRoutes, apiKeyRoutes],
    root: [unsubscribeRoutes],
    env: { CARILLON_SMTP_URL: 'smtp://127.0.0.1:9', CARILLON_MAIL_FROM: 'bells@carillon.example' },
    replace: { nowMs: () => Date.now() + aheadMs },
  })
}, 60_000)
beforeEach(async () => {
  aheadMs = 0
  const { system } = api.ctx.db
  for (const table of ['outgoing_mail', 'notice', 'notice_setting', 'outbox_event'] as const)
    await system.deleteFrom(table).execute()
  await api.openWorkspace()
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Does what a worker does, until nothing is left. */
async function follow(): Promise<void> {
  while (await relayEvents(api.ctx));
  while (await deriveNotices(api.ctx));
  while (await tellNotices(api.ctx));
}

/** The same after the time in which failures are gathered. */
async function followLater(ms = 30_000): Promise<void> {
  await follow()
  aheadMs += ms
  await follow()
}

async function happen(...all: { event: EventName; postId?: string; channelId?: string; connectionId?: string }[]): Promise<void> {
  const { workspaceId, ctx } = api
  await recordEvents(
    ctx.db.system,
    all.map((each) => ({ workspaceId, atMs: ctx.nowMs(), ...each })),
  )
}

/** Lets this many posts fail for the same reason. */
async function failPosts(count: number, code: 'reconnect_needed' | 'content_rejected' = 'reconnect_needed'): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, () => api.create({ text: newUuid(), scheduledAt: inDays(60) })))
  const failed = { state: 'failed' as const, error: JSON.stringify(channelError(code)), finished_at: new Date() }
  const rows = await api.ctx.db.system
    .updateTable('part')
    .where('post_id', 'in', ids)
    .set(failed)
    .returning(['id', 'post_id'])
    .execute()
  await happen(...rows.map(({ id, post_id }) => ({ event: 'channel.failed' as const, channelId: id, postId: post_id })))
}

async function connectionId(): Promise<string> {
  const row = await api.ctx.db.system
    .selectFrom('connection')
    .where('workspace_id', '=', api.workspaceId)
    .where('slug', '=', api.first)
    .select('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const setConnection = async (change: object) =>
  api.ctx.db.system
    .updateTable('connection')
    .where('id', '=', await connectionId())
    .set(change)
    .execute()

type List = { notices: Notice[]; unread: number }
const list = async () => (await api.send<List>('GET', '/notices')).data
const summary = async () => (await list()).notices.map(({ kind, count }) => `${kind} ${count}`)

async function mails(): Promise<Mail[]> {
  const rows = await api.ctx.db.system.selectFrom('outgoing_mail').selectAll().orderBy('id').execute()
  return rows.map((row) => openMail(api.ctx, row))
}

/** A further member, and what they read. */
async function addMember(role: Role) {
  const { ctx, workspaceId } = api
  const made = await setUpWorkspace(ctx, { workspace: 'Own', email: `${newUuid()}@example.com` })
  await insertMember(ctx.db.system, { workspaceId, personId: made.personId, role, joinedAt: new Date() })
  const send = async <T>(method: 'GET' | 'POST' | 'PATCH', url: string, workspace = workspaceId, payload?: object) =>
    (
      await api.server.app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${made.apiKey}`, 'x-workspace-id': workspace },
        ...(payload && { payload }),
      })
    ).json<{ data: T }>().data
  return { ...made, send, list: () => send<List>('GET', '/notices') }
}

const setMail = (change: Partial<NoticeSettings>) => api.send<NoticeSettings>('PATCH', '/me/notices', change)

test('guarantee: 500 failures of one cause are one notice and one mail', async () => {
  await setMail({ failures: 'at_once' })
  for (let n = 0; n < 10; n++) await failPosts(50)
  await followLater()
  expect(await summary()).toEqual(['posts_failed 500'])
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`Tower: 500 posts on ${api.first} failed`)
  // Those that follow within the window are counted and not told again.
  await failPosts(2)
  await followLater()
  expect(await summary()).toEqual(['posts_failed 502'])
  expect(await mails()).toHaveLength(1)
}, 120_000)

test('another code, and the same one after a while, is another notice', async () => {
  await failPosts(1)
  await failPosts(2, 'content_rejected')
  await followLater()
  expect((await summary()).toSorted()).toEqual(['posts_failed 1', 'posts_failed 2'])
  aheadMs += windowMs
  await failPosts(1)
  await followLater()
  expect(await summary()).toHaveLength(3)
})

test('guarantee: a pass that is repeated, or runs twice at once, makes and counts nothing twice', async () => {
  await setMail({ failures: 'at_once' })
  await failPosts(3)
  await happen({ event: 'connection.needs_reconnect', connectionId: await connectionId() })
  await setConnection({ status: 'needs_reconnect' })
  while (await relayEvents(api.ctx));
  const before = await api.ctx.db.system.selectFrom('notice_position').select('event_id').executeTakeFirstOrThrow()
  await Promise.all([deriveNotices(api.ctx), deriveNotices(api.ctx), deriveNotices(api.ctx)])
  aheadMs += 30_000
  await Promise.all([tellNotices(api.ctx), tellNotices(api.ctx)])
  const once = { notices: (await summary()).toSorted(), mails: (await mails()).length }
  expect(once).toEqual({ notices: ['needs_reconnect 1', 'posts_failed 3'], mails: 2 })
  await api.send('POST', '/notices/read')
  // As after a crash in which the position was lost.
  await api.ctx.db.system.updateTable('notice_position').set(before).execute()
  await followLater()
  expect({ notices: (await summary()).toSorted(), mails: (await mails()).length }).toEqual(once)
  expect((await list()).unread).toBe(0)
})

test('guarantee: a viewer reads no notices, a lost role ends reading and mails, and another workspace sees nothing', async () => {
  const viewer = await addMember('viewer')
  const admin = await addMember('admin')
  const editor = await addMember('editor')
  await failPosts(1)
  await setConnection({ status: 'needs_reconnect' })
  await happen({ event: 'connection.needs_reconnect', connectionId: await connectionId() })
  await followLater()
  expect(await viewer.list()).toEqual({ notices: [], unread: 0 })
  expect((await editor.list()).notices.map(({ kind }) => kind)).toEqual(['posts_failed'])
  expect((await admin.list()).unread).toBe(2)
  expect(await admin.send('GET', '/notices', admin.workspaceId)).toEqual({ notices: [], unread: 0 })
  // Reading them in another workspace changes nothing here.
  const ids = (await admin.list()).notices.map(({ id }) => id)
  await admin.send('POST', '/notices/read', admin.workspaceId, { ids })
  expect((await admin.list()).unread).toBe(2)
  await admin.send('POST', '/notices/read', api.workspaceId, { ids: ids.slice(0, 1) })
  expect([(await admin.list()).unread, (await list()).unread]).toEqual([1, 2])

  const member = api.ctx.db.system.updateTable('member').where('person_id', '=', admin.personId)
  await member.where('workspace_id', '=', api.workspaceId).set({ role: 'viewer' }).execute()
  clearKeyCache(api.ctx)
  expect(await admin.list()).toEqual({ notices: [], unread: 0 })
  const sent = (await mails()).length
  aheadMs += 4 * dayMs
  await follow()
  await sendDigests(api.ctx)
  const later = (await mails()).slice(sent).map(({ to }) => to)
  const { email } = await api.ctx.db.system
    .selectFrom('person')
    .where('id', '=', admin.personId)
    .select('email')
    .executeTakeFirstOrThrow()
  expect(later.length).toBeGreaterThan(0)
  expect(later).not.toContain(email)
})

test('guarantee: an account to be connected again is told of once, and again after three and seven days while posts wait', async () => {
  await api.create({ scheduledAt: inDays(60) })
  await setConnection({ status: 'needs_reconnect' })
  await happen({ event: 'connection.needs_reconnect', connectionId: await connectionId() })
  await followLater()
  expect((await list()).notices).toMatchObject([{ kind: 'needs_reconnect', waiting: 1, connection: { slug: api.first } }])
  expect(await mails()).toHaveLength(1)
  await api.send('POST', '/notices/read')
  for (const [days, count] of [
    [2, 1],
    [1, 2],
    [3, 2],
    [1, 3],
    [30, 3],
  ] as const) {
    aheadMs += days * dayMs + 60_000
    await follow()
    expect([days, (await mails()).length]).toEqual([days, count])
  }
  const reminder = (await mails()).at(-1)
  expect(reminder?.subject).toContain('still must be connected again')
  expect(reminder?.text).toContain('1 post waits for it.')
  expect(await summary()).toEqual(['needs_reconnect 1'])
  expect((await list()).unread).toBe(1)

  await setConnection({ status: 'active' })
  await follow()
  expect(await list()).toMatchObject({ notices: [{ resolvedAt: expect.any(String) }], unread: 0 })
  await setConnection({ status: 'needs_reconnect' })
  await happen({ event: 'connection.needs_reconnect', connectionId: await connectionId() })
  await follow()
  expect(await summary()).toHaveLength(2)
})

test('a permission that ends is told of when it is known, and a day ahead', async () => {
  await setConnection({ token_expires_at: new Date(Date.now() + 6 * dayMs), token_renewable: false })
  await happen({ event: 'connection.expiring', connectionId: await connectionId() })
  await follow()
  expect(await mails()).toHaveLength(1)
  aheadMs = 4.9 * dayMs
  await follow()
  expect(await mails()).toHaveLength(1)
  aheadMs = 5.1 * dayMs
  await follow()
  expect(await mails()).toHaveLength(2)
  await setConnection({ token_expires_at: new Date(Date.now() + 90 * dayMs) })
  await follow()
  expect((await list()).unread).toBe(0)
})

test('posts that are late are told of at once, in one notice, until none is late', async () => {
  const id = await api.create({ scheduledAt: new Date(Date.now() + dayMs).toISOString() })
  aheadMs = dayMs + 4 * 60_000
  await follow()
  expect(await summary()).toEqual([])
  aheadMs += 2 * 60_000
  await follow()
  await follow()
  expect(await list()).toMatchObject({ notices: [{ kind: 'posts_late', count: 1, postId: id }], unread: 1 })
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Tower: 1 post is late'])
  await api.ctx.db.system.updateTable('part').where('post_id', '=', id).set({ state: 'canceled' }).execute()
  await follow()
  expect((await list()).unread).toBe(0)
})

test('approvals: admins are asked, and the author is told what was decided', async () => {
  const author = await addMember('editor')
  const post = await api.create({ saveDraft: true })
  const decide = async (action: 'submitted' | 'approved', personId: string) => {
    const row = { workspace_id: api.workspaceId, post_id: post, action, person_id: personId, at: new Date() }
    await api.ctx.db.system.insertInto('approval_event').values(row).execute()
    await happen({ event: action === 'submitted' ? 'content.submitted' : 'content.approved', postId: post })
    await followLater()
  }
  await decide('submitted', author.personId)
  expect((await list()).notices).toMatchObject([{ kind: 'approval_asked', postId: post, person: { userId: author.personId } }])
  expect((await author.list()).notices).toEqual([])
  await decide('approved', api.personId)
  expect((await author.list()).notices).toMatchObject([{ kind: 'approved', postId: post, person: { userId: api.personId } }])
  expect(await summary()).toEqual(['approval_asked 1'])
})

test('guarantee: a digest comes once a day at the hour of the person, and none is lost after an outage', async () => {
  const noon = Date.UTC(2027, 0, 10, 12)
  aheadMs = noon - Date.now()
  await setMail({ digestHour: 7, timezone: 'Pacific/Auckland' })
  await failPosts(2)
  await followLater()
  await sendDigests(api.ctx)
  expect(await mails()).toEqual([])
  // 7 in Auckland is 18 of the day before in UTC.
  aheadMs = noon + 6 * 3_600_000 - Date.now() + 1000
  await Promise.all([sendDigests(api.ctx), sendDigests(api.ctx)])
  await sendDigests(api.ctx)
  expect((await mails()).map(({ text }) => text)).toEqual([expect.stringContaining(`2 posts on ${api.first} failed`)])
  await failPosts(1, 'content_rejected')
  await followLater()
  await sendDigests(api.ctx)
  expect(await mails()).toHaveLength(1)
  // Nothing was sent for three days.
  aheadMs += 3 * dayMs + 3_600_000
  await sendDigests(api.ctx)
  await sendDigests(api.ctx)
  expect(await mails()).toHaveLength(2)
})

test('what was read, or went away, is in no digest; off is no mail', async () => {
  await failPosts(1)
  await followLater()
  await api.send('POST', '/notices/read')
  aheadMs += 2 * dayMs
  await sendDigests(api.ctx)
  expect(await mails()).toEqual([])
  await setMail({ failures: 'off', connections: 'off' })
  await failPosts(1, 'content_rejected')
  await followLater()
  aheadMs += 2 * dayMs
  await sendDigests(api.ctx)
  expect(await mails()).toEqual([])
})

test('guarantee: the link in a mail ends such mails of its person without a sign-in, and no other link does', async () => {
  await setConnection({ status: 'needs_reconnect' })
  await happen({ event: 'connection.needs_reconnect', connectionId: await connectionId() })
  await follow()
  const [mail] = await mails()
  expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const url = new URL(String(mail?.headers?.['List-Unsubscribe']).slice(1, -1))
  const path = url.pathname + url.search
  const { app } = api.server
  const mailOf = async () => (await api.send<NoticeSettings>('GET', '/me/notices')).data.connections
  const page = await app.inject({ url: path })
  expect([page.statusCode, page.body.includes('<script'), page.body.includes('method="post"')]).toEqual([200, false, true])
  expect(await mailOf()).toBe('at_once')

  const other = await addMember('admin')
  const token = url.searchParams.get('token') ?? ''
  const [, group = '', mac = ''] = token.split('.')
  for (const forged of [`${other.personId}.${group}.${mac}`, token.replace('connections', 'all'), `${token}x`, 'a.all.b', ''])
    expect([forged, (await app.inject({ method: 'POST', url: `/unsubscribe?token=${forged}` })).statusCode]).toEqual([
      forged,
      404,
    ])
  expect((await other.send<NoticeSettings>('GET', '/me/notices')).connections).toBe('at_once')

  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const done = await app.inject({ method: 'POST', url: path, headers, payload: 'List-Unsubscribe=One-Click' })
  expect(done.statusCode).toBe(200)
  expect(await mailOf()).toBe('off')
})

test('settings are checked, and without a change those are the defaults', async () => {
  const { data } = await api.send<NoticeSettings>('GET', '/me/notices')
  const defaults = { failures: 'digest', connections: 'at_once', approvals: 'at_once', digestHour: 8, canMail: true }
  expect(data).toMatchObject(defaults)
  for (const wrong of [{ timezone: 'Europe/Atlantis' }, { digestHour: 24 }, { failures: 'sometimes' }])
    expect((await api.send('PATCH', '/me/notices', wrong)).status).toBe(422)
  expect((await api.send('PATCH', '/me/notices', {})).status).toBe(200)
  expect((await api.send('POST', '/notices/read', { ids: [newId(0), 'x'] })).data).toEqual({ unread: 0 })
})
