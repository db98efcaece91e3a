import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey, AuditEntry, Connection, Member } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { auditRoutes } from '../audit/audit.routes.ts'
import { connectionRoutes } from '../connections/connection.routes.ts'
import { requestReconnect } from '../connections/disconnect.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { insertMember } from '../members/member.store.ts'
import { ensurePerson } from '../people/find-person.ts'
import { signInAs } from '../people/sign-in.fixture.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { newUuid } from '../../infra/db/ids.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const noHooks = { beforeRemoval: async () => {}, afterReconnect: async () => {} }

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-settings-'))
  api = await PostApi.start(dir, {
    routes: [apiKeyRoutes, auditRoutes, connectionRoutes(noHooks), memberRoutes({ afterRoleChange: async () => {} })],
  })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const at = () => `/workspaces/${api.workspaceId}`

describe('a connection', () => {
  const connections = async () => (await api.send<Connection[]>('GET', `${at()}/connections`)).data
  const first = async () => (await connections()).find(({ slug }) => slug === api.first)

  test('shows its server, what waits on it and when it last published', async () => {
    const untouched = { instanceUrl: 'https://social.example', statusCode: null, scheduledChannels: 0, lastPublishedAt: null }
    expect(await first()).toMatchObject(untouched)
    await api.create({ scheduledAt: inDays(1).toISOString() })
    await api.create({ saveDraft: true })
    const earlier = await api.create()
    const latest = await api.create()
    const publishedAt = inDays(-1)
    await api.setChannel(earlier, {
      state: 'published',
      platform_post_id: '1',
      published_at: inDays(-2),
      finished_at: inDays(-2),
    })
    await api.setChannel(latest, {
      state: 'published',
      platform_post_id: '2',
      published_at: publishedAt,
      finished_at: publishedAt,
    })
    expect(await first()).toMatchObject({ scheduledChannels: 1, lastPublishedAt: publishedAt.toISOString() })
    expect((await connections()).find(({ slug }) => slug === api.second)).toMatchObject(untouched)
  })

  test.each([
    ['token_refused', 1, {}],
    ['token_expired', -1, {}],
    ['account_gone', 1, { code: 'account_gone' as const }],
  ])('says why it must be connected again: %s', async (code, days, why) => {
    const { id = '' } = (await first()) ?? {}
    const { ctx, workspaceId } = api
    await ctx.db.system
      .updateTable('connection')
      .where('id', '=', id)
      .set({ token_expires_at: inDays(days) })
      .execute()
    await requestReconnect(ctx, { workspaceId, id }, { reason: 'The platform says no.', ...why })
    expect(await first()).toMatchObject({ status: 'needs_reconnect', statusReason: 'The platform says no.', statusCode: code })
  })
})

describe('an API key', () => {
  test('shows its creator and its last use, which is written at most once a minute', async () => {
    const made = (await api.send<ApiKey>('POST', `${at()}/api-keys`, { label: 'CI' })).data
    const { email } = await api.ctx.db.system
      .selectFrom('person')
      .where('id', '=', api.personId)
      .select('email')
      .executeTakeFirstOrThrow()
    expect(made).toMatchObject({ createdBy: { userId: api.personId, email }, lastUsedAt: null })
    const find = async () => (await api.send<ApiKey[]>('GET', `${at()}/api-keys`)).data.find(({ id }) => id === made.id)
    expect((await find())?.lastUsedAt).toBeNull()
    const use = () =>
      api.server.app.inject({ url: `/api${at()}/members`, headers: { authorization: `Bearer ${made.key ?? ''}` } })
    expect((await use()).statusCode).toBe(200)
    await expect.poll(async () => (await find())?.lastUsedAt).not.toBeNull()
    const firstUse = (await find())?.lastUsedAt
    await use()
    expect(await find()).toMatchObject({ lastUsedAt: firstUse, createdBy: { email } })
  })
})

describe('the audit log', () => {
  test('can be filtered by action, person, subject and time', async () => {
    const id = await api.create({ saveDraft: true })
    await api.send('PATCH', `/content/${id}/archive`)
    await api.send('POST', `${at()}/api-keys`, { label: 'CI' })
    const actions = async (query: Record<string, string>) => {
      const reply = await api.send<{ data: AuditEntry[] }>('GET', `${at()}/audit?${new URLSearchParams(query)}`)
      return reply.data.data.map(({ action }) => action)
    }
    expect(await actions({})).toEqual(['api_key.create', 'post.archive', 'post.create'])
    expect(await actions({ action: 'post' })).toEqual(['post.archive', 'post.create'])
    expect(await actions({ action: 'post.archive,api_key' })).toEqual(['api_key.create', 'post.archive'])
    expect(await actions({ subjectId: id, action: 'post.create' })).toEqual(['post.create'])
    expect(await actions({ userId: api.personId })).toHaveLength(3)
    expect(await actions({ userId: 'another' })).toEqual([])
    expect(await actions({ from: inDays(1).toISOString() })).toEqual([])
    expect(await actions({ to: inDays(0).toISOString().slice(0, 10) })).toHaveLength(3)
    await api.openWorkspace()
    expect(await actions({ subjectId: id })).toEqual([])
  })

  test('names a post by its uploadId, whichever id the request used', async () => {
    const id = await api.create({ saveDraft: true })
    const { requestId } = await api.get(id)
    await api.send('PATCH', `/content/${requestId}`, { title: 'Evensong' })
    await api.send('DELETE', `/content/${requestId}`)
    const reply = await api.send<{ data: AuditEntry[] }>('GET', `${at()}/audit?subjectId=${id}`)
    expect(reply.data.data.map(({ action }) => action)).toEqual(['post.delete', 'post.update', 'post.create'])
  })
})

describe('leaving a workspace', () => {
  test.each(['viewer', 'editor', 'admin', 'owner'] as const)('a member with the role %s can leave', async (role) => {
    const { ctx, workspaceId } = api
    const person = await ensurePerson(ctx.db.system, `${newUuid()}@example.com`, Date.now())
    await insertMember(ctx.db.system, { workspaceId, personId: person.id, role, joinedAt: new Date() })
    const headers = { cookie: await signInAs(ctx, person.id), origin: new URL(ctx.config.publicUrl).origin }
    const leave = () => api.server.app.inject({ method: 'DELETE', url: `/api${at()}/members/me`, headers })
    expect((await leave()).statusCode).toBe(200)
    expect((await leave()).statusCode).toBe(404)
    const members = (await api.send<Member[]>('GET', `${at()}/members`)).data
    expect(members.map(({ userId }) => userId)).toEqual([api.personId])
  })

  test('the last owner cannot', async () => {
    expect((await api.send('DELETE', `${at()}/members/me`)).error?.code).toBe('last_owner')
  })
})
