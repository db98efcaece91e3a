import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectors } from '@carillon/connectors'
import type { ApiKey, Verdict } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openServer } from '../../../../test/open-server.ts'
import { apiKeyRoutes } from '../../api-keys/api-key.routes.ts'
import { workspaceRoutes } from '../../workspaces/workspace.routes.ts'
import { PostApi } from '../post-api.fixture.ts'
import { postRoutes } from '../post.routes.ts'

let api: PostApi
let folder: string
let ownerKey: string
/** The posts that a platform was asked to delete. */
let deleted: string[] = []
const dayMs = 86_400_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-key-limits-'))
  const remove = async (_client: unknown, postId: string) => void deleted.push(postId)
  const mastodon = { ...connectors.mastodon, remove }
  api = await PostApi.start(folder, {
    routes: [apiKeyRoutes, workspaceRoutes],
    replace: { connectors: { ...connectors, mastodon } },
  })
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  deleted = []
  await api.openWorkspace()
  ownerKey = api.apiKey
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Everything after this is asked with a new key. */
async function useKey(more: object): Promise<void> {
  api.apiKey = ownerKey
  const { data, error } = await api.send<ApiKey>('POST', `/workspaces/${api.workspaceId}/api-keys`, { label: 'narrow', ...more })
  if (!data?.key) throw new Error(`no key was made: ${JSON.stringify(error)}`)
  api.apiKey = data.key
}

async function asOwner<T>(work: () => Promise<T>): Promise<T> {
  const { apiKey } = api
  api.apiKey = ownerKey
  try {
    return await work()
  } finally {
    api.apiKey = apiKey
  }
}

async function codeOf(method: Method, path: string, body?: object): Promise<string> {
  const { status, error } = await api.send(method, path, body)
  return error?.code ?? String(status)
}

const post = (more: object = {}) => ({ connections: [api.first], text: 'The bells ring at nine.', ...more })
const tomorrow = () => new Date(Date.now() + dayMs).toISOString()
const create = (more: object = {}) => codeOf('POST', '/content/text', post(more))

/** Creates a post some days later, by the clock of another server. */
function createLater(days: number, more: object = {}): Promise<string> {
  return createAt(Date.now() + days * dayMs, more)
}

async function createAt(atMs: number, more: object = {}): Promise<string> {
  const { app, close } = openServer({
    database: api.database,
    env: { CARILLON_MEDIA_DIR: folder },
    replace: { nowMs: () => atMs },
    api: [postRoutes],
  })
  const headers = { authorization: `Bearer ${api.apiKey}`, 'x-workspace-id': api.workspaceId }
  const response = await app.inject({ method: 'POST', url: '/api/content/text', headers, payload: post(more) })
  await close()
  return response.json<{ error?: { code: string } }>().error?.code ?? String(response.statusCode)
}

/** A post in this state, made by the owner. */
async function postIn(state: 'draft' | 'scheduled' | 'failed' | 'unconfirmed' | 'published', connections = [api.first]) {
  return asOwner(async () => {
    if (state === 'draft') return api.create({ connections, saveDraft: true })
    const id = await api.create({ connections, scheduledAt: tomorrow() })
    if (state === 'scheduled') return id
    await api.setPost(id, { status: state === 'published' ? 'completed' : 'failed' })
    const onPlatform = state === 'published' && { platform_post_id: `of ${id}` }
    for (const slug of connections) await api.setChannel(id, { state, finished_at: new Date(), ...onPlatform }, slug)
    return id
  })
}

const oneHour = (offset: number) => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  return { from: at(offset), to: at(offset + 2) }
}

describe('guarantee: a key for drafts writes drafts, and releases or changes nothing else', () => {
  type Wanted = Record<'content:draft' | 'content:publish' | 'content:write' | 'content:read', string>
  const ok = '200'
  const none = 'scope_missing'
  const table: [string, () => Promise<[Method, string, object?]>, Wanted][] = [
    ['save a draft', async () => ['POST', '/content/text', post({ saveDraft: true })], row('201', none, '201')],
    ['publish a new post', async () => ['POST', '/content/text', post()], row(none, none, '201')],
    ['schedule a new post', async () => ['POST', '/content/text', post({ scheduledAt: tomorrow() })], row(none, none, '201')],
    ['change a draft', async () => ['PATCH', `/content/${await postIn('draft')}`, { text: 'Ten.' }], row(ok, none, ok)],
    [
      'change a scheduled post',
      async () => ['PATCH', `/content/${await postIn('scheduled')}`, { text: 'Ten.', keepSchedule: true }],
      row(none, none, ok),
    ],
    ['publish a draft', async () => ['POST', `/content/${await postIn('draft')}/publish`], row(none, ok, ok)],
    ['publish now', async () => ['POST', `/content/${await postIn('scheduled')}/publish-now`], row(none, ok, ok)],
    [
      'reschedule',
      async () => ['POST', `/content/${await postIn('scheduled')}/reschedule`, { scheduledAt: tomorrow() }],
      row(none, ok, ok),
    ],
    ['unschedule', async () => ['POST', `/content/${await postIn('scheduled')}/unschedule`], row(none, ok, ok)],
    ['retry', async () => ['POST', `/content/${await postIn('failed')}/retry`], row(none, ok, ok)],
    [
      'resolve',
      async () => {
        const id = await postIn('unconfirmed')
        const [channel] = await api.channels(id)
        return ['POST', `/content/${id}/channels/${channel?.id}/resolve`, { outcome: 'published' }]
      },
      row(none, ok, ok),
    ],
    ['archive a draft', async () => ['PATCH', `/content/${await postIn('draft')}/archive`], row(ok, none, ok)],
    ['archive a published post', async () => ['PATCH', `/content/${await postIn('published')}/archive`], row(none, none, ok)],
    ['unarchive a published post', async () => ['PATCH', `/content/${await postIn('published')}/unarchive`], row(none, none, ok)],
    ['delete a draft', async () => ['DELETE', `/content/${await postIn('draft')}`], row(ok, none, ok)],
    ['delete a scheduled post', async () => ['DELETE', `/content/${await postIn('scheduled')}`], row(none, none, ok)],
    [
      'delete a published post everywhere',
      async () => ['DELETE', `/content/${await postIn('published')}?unpublish=true`],
      row(none, none, ok),
    ],
    ['retry many', async () => ['POST', '/content/bulk-retry', { ids: [await postIn('failed')] }], row(none, ok, ok)],
    [
      'reschedule many',
      async () => ['POST', '/content/bulk-reschedule', { ids: [await postIn('scheduled')], scheduledAt: tomorrow() }],
      row(none, ok, ok),
    ],
    ['read a post', async () => ['GET', `/content/${await postIn('draft')}`], { ...row(ok, ok, ok), 'content:read': ok }],
  ]

  function row(draft: string, publish: string, write: string): Wanted {
    return { 'content:draft': draft, 'content:publish': publish, 'content:write': write, 'content:read': none }
  }

  const cases = table.flatMap(([what, ask, wanted]) =>
    Object.entries(wanted).map(([scope, answer]) => ({ what, ask, scope, answer })),
  )
  test.each(cases)('$what with $scope: $answer', async ({ ask, scope, answer }) => {
    const [method, path, body] = await ask()
    await useKey({ scopes: [scope] })
    expect(await codeOf(method, path, body)).toBe(answer)
  })

  test('of many posts, only the drafts are deleted', async () => {
    const [draft, scheduled] = [await postIn('draft'), await postIn('scheduled')]
    await useKey({ scopes: ['content:draft'] })
    const { data } = await api.send<{ failed: object[] }>('POST', '/content/bulk-delete', { ids: [draft, scheduled] })
    expect(data.failed).toEqual([expect.objectContaining({ id: scheduled, code: 'scope_missing' })])
    expect((await asOwner(() => api.send('GET', `/content/${scheduled}`))).status).toBe(200)
    expect((await asOwner(() => api.send('GET', `/content/${draft}`))).status).toBe(404)
  })
})

describe('guarantee: a key for certain accounts changes nothing of another one', () => {
  const table: [string, (other: string) => Promise<[Method, string, object?]>][] = [
    ['publish', async (other) => ['POST', '/content/text', post({ connections: [other] })]],
    ['publish to both', async (other) => ['POST', '/content/text', post({ connections: [api.first, other] })]],
    ['save a draft', async (other) => ['POST', '/content/text', post({ connections: [other], saveDraft: true })]],
    ['change a draft', async (other) => ['PATCH', `/content/${await postIn('draft', [other])}`, { text: 'Ten.' }]],
    ['move a draft there', async (other) => ['PATCH', `/content/${await postIn('draft')}`, { connections: [other] }]],
    [
      'change a scheduled post',
      async (other) => ['PATCH', `/content/${await postIn('scheduled', [other])}`, { text: 'Ten.', keepSchedule: true }],
    ],
    ['publish a draft', async (other) => ['POST', `/content/${await postIn('draft', [api.first, other])}/publish`]],
    ['publish now', async (other) => ['POST', `/content/${await postIn('scheduled', [other])}/publish-now`]],
    [
      'reschedule',
      async (other) => ['POST', `/content/${await postIn('scheduled', [other])}/reschedule`, { scheduledAt: tomorrow() }],
    ],
    ['unschedule', async (other) => ['POST', `/content/${await postIn('scheduled', [other])}/unschedule`]],
    ['retry', async (other) => ['POST', `/content/${await postIn('failed', [api.first, other])}/retry`]],
    [
      'resolve',
      async (other) => {
        const id = await postIn('unconfirmed', [other])
        const [channel] = await api.channels(id)
        return ['POST', `/content/${id}/channels/${channel?.id}/resolve`, { outcome: 'published' }]
      },
    ],
    ['archive', async (other) => ['PATCH', `/content/${await postIn('published', [other])}/archive`]],
    ['unarchive', async (other) => ['PATCH', `/content/${await postIn('published', [other])}/unarchive`]],
    ['delete', async (other) => ['DELETE', `/content/${await postIn('draft', [other])}`]],
    ['delete everywhere', async (other) => ['DELETE', `/content/${await postIn('published', [other])}?unpublish=true`]],
  ]
  test.each(table)('%s', async (_what, ask) => {
    const [method, path, body] = await ask(api.second)
    await useKey({ limits: { connections: [api.first] } })
    expect(await codeOf(method, path, body)).toBe('connection_not_allowed')
  })

  test.each(['bulk-delete', 'bulk-archive', 'bulk-unarchive', 'bulk-retry'])('%s', async (path) => {
    const id = await postIn('failed', [api.second])
    await useKey({ limits: { connections: [api.first] } })
    const { data } = await api.send<{ failed: object[] }>('POST', `/content/${path}`, { ids: [id] })
    expect(data.failed).toEqual([expect.objectContaining({ id, code: 'connection_not_allowed' })])
  })

  test('a post of another account stays on its platform when deleting it everywhere is refused', async () => {
    const [other, own] = [await postIn('published', [api.second]), await postIn('published')]
    await useKey({ limits: { connections: [api.first] } })
    expect(await codeOf('DELETE', `/content/${other}?unpublish=true`)).toBe('connection_not_allowed')
    expect(deleted).toEqual([])
    expect(await codeOf('DELETE', `/content/${own}?unpublish=true`)).toBe('200')
    expect(deleted).toEqual([`of ${own}`])
  })

  test('its own accounts stay open to it', async () => {
    await useKey({ limits: { connections: [api.first] } })
    expect(await create()).toBe('201')
    expect(await codeOf('POST', `/content/${await postIn('failed')}/retry`)).toBe('200')
  })
})

/** What makes a post due, and whether it was released before. */
const releases: [string, () => Promise<[Method, string, object?]>][] = [
  ['a new post', async () => ['POST', '/content/text', post()]],
  ['a draft', async () => ['POST', `/content/${await postIn('draft')}/publish`]],
  ['publish now', async () => ['POST', `/content/${await postIn('scheduled')}/publish-now`]],
  ['reschedule', async () => ['POST', `/content/${await postIn('scheduled')}/reschedule`, { scheduledAt: nowAgain() }]],
  [
    'a change of a scheduled post',
    async () => ['PATCH', `/content/${await postIn('scheduled')}`, { scheduledAt: nowAgain(), keepSchedule: true }],
  ],
  ['retry', async () => ['POST', `/content/${await postIn('failed')}/retry`]],
]
const nowAgain = () => new Date(Date.now() + 30_000).toISOString()

async function bulkCode(path: string, body: object): Promise<string | undefined> {
  const { data } = await api.send<{ failed: { code: string }[] }>('POST', path, body)
  return data.failed[0]?.code
}

describe('guarantee: nothing of a key with hours is due outside of them', () => {
  test.each(releases)('%s', async (_what, ask) => {
    const [method, path, body] = await ask()
    await useKey({ limits: { hours: oneHour(3) } })
    expect(await codeOf(method, path, body)).toBe('hours_not_allowed')
    await useKey({ limits: { hours: oneHour(-1) } })
    expect(await codeOf(method, path, body)).toMatch(/^20[01]$/)
  })

  test('reschedule many', async () => {
    const ids = [await postIn('scheduled')]
    await useKey({ limits: { hours: oneHour(3) } })
    expect(await bulkCode('/content/bulk-reschedule', { ids, scheduledAt: nowAgain() })).toBe('hours_not_allowed')
  })

  test('the hours are those of the workspace’s time zone', async () => {
    await api.send('PATCH', `/workspaces/${api.workspaceId}`, { timezone: 'Asia/Kolkata' })
    await useKey({ limits: { hours: { from: '09:00', to: '10:00' } } })
    const day = tomorrow().slice(0, 10)
    expect(await create({ scheduledAt: `${day}T04:00:00Z` })).toBe('201')
    expect(await create({ scheduledAt: `${day}T09:30:00Z`, text: 'Noon.' })).toBe('hours_not_allowed')
  })

  test('a draft may have any time', async () => {
    await useKey({ limits: { hours: oneHour(3) } })
    expect(await create({ saveDraft: true })).toBe('201')
  })
})

describe('guarantee: a key releases no more posts a day than it may', () => {
  test.each(releases)('%s', async (_what, ask) => {
    const [method, path, body] = await ask()
    await useKey({ limits: { postsPerDay: 1 } })
    expect(await create({ text: 'The first of the day.' })).toBe('201')
    expect(await codeOf(method, path, body)).toBe('key_limit_reached')
  })

  test('fifty parallel requests release exactly as many as allowed', async () => {
    await useKey({ limits: { postsPerDay: 7 } })
    const codes = await Promise.all(Array.from({ length: 50 }, (_, n) => create({ text: `Bell ${n}` })))
    expect(codes.filter((code) => code === '201')).toHaveLength(7)
    expect(codes.filter((code) => code === 'key_limit_reached')).toHaveLength(43)
    const { data } = await asOwner(() => api.send<{ meta: { total: number } }>('GET', '/content'))
    expect(data.meta.total).toBe(7)
  })

  test('requests about the same posts in another order do not block each other', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => postIn('scheduled')))
    await useKey({ limits: { postsPerDay: 20 } })
    const move = { scheduledAt: tomorrow() }
    const codes = await Promise.all([
      ...ids.map((id) => codeOf('POST', `/content/${id}/reschedule`, move)),
      ...Array.from({ length: 4 }, () => codeOf('POST', '/content/bulk-reschedule', { ids, ...move })),
    ])
    expect(codes).toEqual(codes.map(() => '200'))
  })

  test('a post counts once, however often it is moved, and drafts do not count', async () => {
    await useKey({ limits: { postsPerDay: 1 } })
    expect(await create({ saveDraft: true })).toBe('201')
    const id = await api.create({ scheduledAt: tomorrow() })
    for (const path of ['reschedule', 'reschedule'])
      expect(await codeOf('POST', `/content/${id}/${path}`, { scheduledAt: tomorrow() })).toBe('200')
    expect(await codeOf('POST', `/content/${id}/publish-now`)).toBe('200')
    expect(await create({ text: 'Another.' })).toBe('key_limit_reached')
  })

  test('the count starts again with the next day of the workspace', async () => {
    await useKey({ limits: { postsPerDay: 1 } })
    expect(await create()).toBe('201')
    expect(await create({ text: 'Another.' })).toBe('key_limit_reached')
    expect(await createLater(1, { text: 'Another.' })).toBe('201')
  })

  test('a day begins at midnight in the time zone of the workspace', async () => {
    await api.send('PATCH', `/workspaces/${api.workspaceId}`, { timezone: 'Asia/Kolkata' })
    await useKey({ limits: { postsPerDay: 1 } })
    const midnightMs = Date.parse(`${tomorrow().slice(0, 10)}T18:30:00Z`)
    const createdAround = (hours: number, text: string) => createAt(midnightMs + hours * 3_600_000, { text })
    expect(await createdAround(-0.5, 'The last of the day.')).toBe('201')
    expect(await createdAround(0.5, 'The first of the next day.')).toBe('201')
    expect(await createdAround(8, 'After midnight in UTC.')).toBe('key_limit_reached')
  })

  test('a refused request does not count', async () => {
    await useKey({ limits: { postsPerDay: 1 } })
    expect(await create({ text: '' })).not.toBe('201')
    expect(await create()).toBe('201')
  })
})

describe('guarantee: a key that may not repeat a text does not', () => {
  test.each(releases)('%s', async (_what, ask) => {
    await postIn('draft')
    const [method, path, body] = await ask()
    await useKey({ limits: { onDuplicate: 'refuse' } })
    expect(await codeOf(method, path, body)).toBe('duplicate_refused')
  })

  test('fifty parallel requests with one text make one post', async () => {
    await useKey({ limits: { onDuplicate: 'refuse' } })
    const codes = await Promise.all(Array.from({ length: 50 }, () => create()))
    expect(codes.filter((code) => code === '201')).toHaveLength(1)
    expect(codes.filter((code) => code === 'duplicate_refused')).toHaveLength(49)
  })

  test('almost the same text is refused, also as the own text of one account', async () => {
    await asOwner(() => create({ text: 'Our bells ring again from Monday, and everybody is invited.' }))
    await useKey({ limits: { onDuplicate: 'refuse' } })
    const again = 'OUR BELLS ring again from Monday – and everybodyy is invited https://tower.example/?utm=2'
    expect(await create({ text: again })).toBe('duplicate_refused')
    expect(await create({ text: 'Hello.', platformOptions: { [api.first]: { text: again } } })).toBe('duplicate_refused')
  })

  test('what counts of another post is the text that it has on this account', async () => {
    const shown = 'Our bells ring again from Monday, and everybody is invited.'
    await asOwner(() => create({ text: 'The tower is closed today.', platformOptions: { [api.first]: { text: shown } } }))
    await useKey({ limits: { onDuplicate: 'refuse' } })
    expect(await create({ text: shown })).toBe('duplicate_refused')
    expect(await create({ text: 'The tower is closed today.' })).toBe('201')
  })

  test('another account, another text and a post of two days ago are no duplicates', async () => {
    await asOwner(() => create())
    await useKey({ limits: { onDuplicate: 'refuse' } })
    expect(await create({ connections: [api.second] })).toBe('201')
    expect(await create({ text: 'The tower is closed today.' })).toBe('201')
    expect(await create()).toBe('duplicate_refused')
    expect(await createLater(2)).toBe('201')
  })

  test('a post that was made long ago and is due at the same time is a duplicate', async () => {
    await asOwner(() => create({ scheduledAt: new Date(Date.now() + 4 * dayMs).toISOString() }))
    await useKey({ limits: { onDuplicate: 'refuse' } })
    const at = (ms: number) => ({ scheduledAt: new Date(Date.now() + ms).toISOString() })
    expect(await createLater(2, at(4 * dayMs + 3_600_000))).toBe('duplicate_refused')
    expect(await createLater(2, at(6 * dayMs))).toBe('201')
  })

  test('with `warn` the post goes out, and its channel has a warning', async () => {
    await asOwner(() => create())
    await useKey({ limits: { onDuplicate: 'warn' } })
    const id = await api.create()
    const { channels } = await api.get(id)
    expect(channels[0]?.result.warnings).toEqual([`Another post has almost the same text on ${api.first} within 24 hours.`])
  })

  test('people and plain keys may repeat a text', async () => {
    expect(await create()).toBe('201')
    expect(await create()).toBe('201')
  })
})

test('guarantee: validate tells beforehand what a key would be refused, and counts nothing', async () => {
  await asOwner(() => create())
  const check = async (connections: string[]) => {
    const { data } = await api.send<Verdict>('POST', '/content/validate', { type: 'text', ...post({ connections }) })
    return data.connections.map(({ violations }) => violations.map(({ code }) => code))
  }
  await useKey({ limits: { connections: [api.first], hours: oneHour(3), onDuplicate: 'refuse' } })
  expect(await check([api.first, api.second])).toEqual([
    ['hours_not_allowed', 'duplicate_refused'],
    ['connection_not_allowed', 'hours_not_allowed'],
  ])
  await useKey({ limits: { postsPerDay: 1 } })
  expect(await check([api.first])).toEqual([[]])
  expect(await check([api.first])).toEqual([[]])
  expect(await create()).toBe('201')
  expect(await check([api.first])).toEqual([['key_limit_reached']])
})

test('a post of another kind is held to the limits too', async () => {
  await useKey({ limits: { connections: [api.first] } })
  const photo = await asOwner(() => api.uploadPhoto())
  const { error } = await api.send('POST', '/content/photos', post({ connections: [api.second], medias: [photo] }))
  expect(error?.code).toBe('connection_not_allowed')
})
