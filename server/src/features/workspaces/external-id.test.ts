import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey, Connection, Post, Workspace } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../infra/db/ids.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { connectionRoutes } from '../connections/connection.routes.ts'
import { insertMember } from '../members/member.store.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { loadEventPosts } from '../posts/reading/load-event-posts.ts'
import { workspaceDataRoutes } from '../workspace-data/workspace-data.routes.ts'
import { workspaceRoutes } from './workspace.routes.ts'

const noHooks = { beforeRemoval: async () => {}, afterReconnect: async () => {} }

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-external-id-'))
  const routes = [workspaceRoutes, connectionRoutes(noHooks), apiKeyRoutes, workspaceDataRoutes]
  api = await PostApi.start(dir, { routes })
}, 60_000)
beforeEach(() => api.openWorkspace())
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const metadata = { customer: 'Ada', tier: 'gold' }
const taken = { status: 409, error: { code: 'external_id_taken' } }

/** Runs requests as the owner of another workspace, then goes back. */
async function asStranger<T>(run: () => Promise<T>): Promise<T> {
  const { workspaceId, apiKey, personId, first, second } = api
  try {
    await api.openWorkspace()
    return await run()
  } finally {
    Object.assign(api, { workspaceId, apiKey, personId, first, second })
  }
}

describe('workspaces', () => {
  const create = (body: object) => api.send<Workspace>('POST', '/workspaces', { name: 'Belfry', ...body })
  const find = async (query: string) => (await api.send<Workspace[]>('GET', `/workspaces?${query}`)).data
  const change = (id: string, body: object) => api.send<Workspace>('PATCH', `/workspaces/${id}`, body)

  test('an id and metadata are stored, shown, changed, cleared and found', async () => {
    const { status, data } = await create({ externalId: 'c-1', metadata })
    expect([status, data.externalId, data.metadata]).toEqual([201, 'c-1', metadata])
    expect(await find('externalId=c-1')).toMatchObject([{ id: data.id, metadata }])
    expect(await find('externalId=C-1')).toEqual([])
    expect((await change(data.id, { name: 'Spire' })).data).toMatchObject({ externalId: 'c-1', metadata })
    expect((await change(data.id, { externalId: 'c-2', metadata: { tier: 'tin' } })).data).toMatchObject({
      externalId: 'c-2',
      metadata: { tier: 'tin' },
    })
    const { data: cleared } = await change(data.id, { externalId: null, metadata: null })
    expect(cleared).not.toHaveProperty('externalId')
    expect(cleared).not.toHaveProperty('metadata')
  })

  test('guarantee: an owner uses an id once, also when two requests arrive together', async () => {
    const replies = await Promise.all([create({ externalId: 'twice' }), create({ externalId: 'twice' })])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const { data: other } = await create({})
    expect(await change(other.id, { externalId: 'twice' })).toMatchObject(taken)
    const [first] = await find('externalId=twice')
    expect((await change(first?.id ?? '', { externalId: 'twice' })).status).toBe(200)
  })

  test('guarantee: ids of workspaces that others own are free, and are not found', async () => {
    expect((await create({ externalId: 'shared' })).status).toBe(201)
    await asStranger(async () => {
      expect(await find('externalId=shared')).toEqual([])
      expect((await create({ externalId: 'shared' })).status).toBe(201)
      expect(await find('externalId=shared')).toHaveLength(1)
    })
  })

  test('guarantee: only who may list all workspaces of an owner can learn that an id is taken', async () => {
    const owner = api.personId
    await create({ externalId: 'secret' })
    const { workspaceId } = api
    const key = await api.send<ApiKey & { key: string }>('POST', `/workspaces/${workspaceId}/api-keys`, {
      label: 'narrow',
      workspaceOnly: true,
    })
    const full = api.apiKey
    api.apiKey = key.data.key
    const narrow = await change(workspaceId, { externalId: 'secret' })
    expect([narrow.status, narrow.error?.code]).toEqual([403, 'scope_missing'])
    api.apiKey = full
    await asStranger(async () => {
      await insertMember(api.ctx.db.system, { workspaceId, personId: api.personId, role: 'admin', joinedAt: new Date() })
      const reply = await change(workspaceId, { externalId: 'secret' })
      expect([reply.status, reply.error?.code]).toEqual([403, 'role_forbidden'])
      expect((await change(workspaceId, { metadata })).status).toBe(200)
    })
    expect(api.personId).toBe(owner)
  })

  test('pages and search are only for those who ask for them', async () => {
    for (const name of ['Ärger', 'Bell', 'Bellows', 'Carillon']) await create({ name })
    const all = await find('')
    expect(all.map(({ name }) => name)).toEqual(['Tower', 'Ärger', 'Bell', 'Bellows', 'Carillon'])
    const firstPage = await find('limit=2')
    const nextPage = await find(`limit=2&cursor=${firstPage.at(-1)?.id}`)
    expect([...firstPage, ...nextPage].map(({ name }) => name)).toEqual(['Tower', 'Ärger', 'Bell', 'Bellows'])
    expect(await find(`cursor=${nextPage.at(-1)?.id}`)).toMatchObject([{ name: 'Carillon' }])
    expect(await find(`cursor=${all.at(-1)?.id}`)).toEqual([])
    expect((await find('search=bell&limit=100')).map(({ name }) => name)).toEqual(['Bell', 'Bellows'])
    expect(await find('search=%C3%A4RG')).toMatchObject([{ name: 'Ärger' }])
    expect(await find('search=%25')).toEqual([])
    expect((await api.send('GET', '/workspaces?limit=0')).status).toBe(422)
    expect((await api.send('GET', '/workspaces?cursor=next')).status).toBe(422)
    await asStranger(async () => expect((await find('search=bell')).length).toBe(0))
  })
})

describe('connections', () => {
  const path = () => `/workspaces/${api.workspaceId}/connections`
  const list = async (query = '') => (await api.send<Connection[]>('GET', `${path()}${query}`)).data
  const change = (id: string, body: object) => api.send<Connection>('PATCH', `${path()}/${id}`, body)

  test('an account gets an id and metadata, and is found by it', async () => {
    const [one, two] = await list()
    expect(Object.keys(one ?? {})).not.toEqual(expect.arrayContaining(['externalId']))
    const { data } = await change(one?.id ?? '', { externalId: 'profile 1', metadata })
    expect(data).toMatchObject({ id: one?.id, externalId: 'profile 1', metadata })
    expect(await list('?externalId=profile%201')).toMatchObject([{ id: one?.id, metadata }])
    expect(await change(two?.id ?? '', { externalId: 'profile 1' })).toMatchObject(taken)
    // A removed account gives its id free.
    await api.send('DELETE', `${path()}/${one?.id}`)
    expect((await change(two?.id ?? '', { externalId: 'profile 1' })).status).toBe(200)
    expect(await change(one?.id ?? '', { metadata })).toMatchObject({ status: 404, error: { code: 'connection_not_found' } })
  })

  test('guarantee: another workspace may use the same id, and cannot change the account', async () => {
    const [one] = await list()
    await change(one?.id ?? '', { externalId: 'same' })
    await asStranger(async () => {
      expect(await list('?externalId=same')).toEqual([])
      const [own] = await list()
      expect((await change(own?.id ?? '', { externalId: 'same' })).status).toBe(200)
      expect((await change(one?.id ?? '', { externalId: 'mine' })).status).toBe(404)
    })
    expect(await list('?externalId=same')).toMatchObject([{ id: one?.id }])
  })
})

describe('posts', () => {
  const list = async (query: string) =>
    (await api.send<{ data: Post[]; meta: { total: number } }>('GET', `/content?${query}`)).data
  const at = new Date(Date.now() + 86_400_000).toISOString()

  test('an id and metadata come with a post, change with it, and find it', async () => {
    const id = await api.create({ saveDraft: true, externalId: 'p-1', metadata })
    expect(await api.get(id)).toMatchObject({ externalId: 'p-1', metadata })
    expect((await api.send('PATCH', `/content/${id}`, { text: 'Other words' })).data).toMatchObject({
      externalId: 'p-1',
      metadata,
    })
    const changed = await api.send('PATCH', `/content/${id}`, { externalId: 'p-2', metadata: null })
    expect([changed.data.externalId, changed.data.metadata]).toEqual(['p-2', undefined])
    const found = await list('externalId=p-2&platform=mastodon')
    expect([found.meta.total, found.data.map(({ uploadId }) => uploadId)]).toEqual([1, [id]])
    expect(await list('externalId=p-1')).toMatchObject({ data: [], meta: { total: 0 } })
  })

  test('a scheduled post keeps its time when its id changes', async () => {
    const id = await api.create({ scheduledAt: at, externalId: 's-1' })
    const { data } = await api.send('PATCH', `/content/${id}`, { keepSchedule: true, externalId: 's-2' })
    expect(data).toMatchObject({ status: 'scheduled', scheduledAt: at, externalId: 's-2' })
  })

  test('guarantee: a workspace uses an id for one post, and a refused post leaves nothing behind', async () => {
    const body = { connections: [api.first], text: 'Once', externalId: 'once', scheduledAt: at }
    const replies = await Promise.all([api.send('POST', '/content/text', body), api.send('POST', '/content/text', body)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(replies.find(({ status }) => status === 409)).toMatchObject(taken)
    expect((await list('')).meta.total).toBe(1)
    const draft = await api.create({ saveDraft: true })
    expect(await api.send('PATCH', `/content/${draft}`, { externalId: 'once' })).toMatchObject(taken)
  })

  test('guarantee: another workspace may use the same id, and does not find this one', async () => {
    await api.create({ saveDraft: true, externalId: 'common' })
    await asStranger(async () => {
      expect((await list('externalId=common')).data).toEqual([])
      await api.create({ saveDraft: true, externalId: 'common' })
      expect((await list('externalId=common')).data).toHaveLength(1)
    })
  })

  test('events and the export have them', async () => {
    const id = await api.create({ scheduledAt: at, externalId: 'e-1', metadata })
    const ref = { workspaceId: api.workspaceId, postId: id }
    const dataOf = await loadEventPosts(api.ctx.db.system, [ref])
    expect(dataOf(ref, { event: 'upload.scheduled', atMs: Date.now() })).toMatchObject({ externalId: 'e-1', metadata })
    const path = `/workspaces/${api.workspaceId}/export?cursor=posts`
    const { data } = await api.send<{ records: Post[] }>('GET', path)
    expect(data.records).toMatchObject([{ uploadId: id, externalId: 'e-1', metadata }])
  })

  test.each([
    [{ externalId: '' }, 'externalId', 'Must not be empty.'],
    [{ externalId: 'x'.repeat(129) }, 'externalId', 'Must have at most 128 characters; this has 129.'],
    [{ metadata: { tier: 3 } }, 'metadata.tier', 'Must be a text.'],
    [{ metadata: { tier: 'x'.repeat(501) } }, 'metadata.tier', 'Must have at most 500 characters; this has 501.'],
    [{ metadata: { 'two\nlines': { nested: true } } }, 'metadata.two\nlines', 'Must be a text.'],
    [{ metadata: { ['k'.repeat(65)]: '' } }, 'metadata', 'Must have at most 64 characters; this has 65.'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, newUuid()])) },
      'metadata',
      'Must have at most 20 entries; this has 21.',
    ],
  ])('a value that is too much is refused with a sentence: %#', async (body, path, message) => {
    const reply = await api.send<null>('POST', '/content/text', { connections: [api.first], text: 'Hello', ...body })
    expect(reply).toMatchObject({ status: 422, error: { details: [{ path, message }] } })
  })
})
