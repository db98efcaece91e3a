import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Post, Verdict } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addConnections } from '../connections/add-connections.ts'
import { PostApi } from './post-api.fixture.ts'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-drafts-'))
  api = await PostApi.start(dir)
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function request(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object, headers: Record<string, string> = {}) {
  const response = await api.server.app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: `Bearer ${api.apiKey}`, 'x-workspace-id': api.workspaceId, ...headers },
    ...(body && { payload: body }),
  })
  type Body = { data: Post; error: { code: string; current?: Post; details?: { path: string; code: string; message: string }[] } }
  return { status: response.statusCode, headers: response.headers, ...response.json<Body>() }
}

async function saveDraft(body: object, path = 'text'): Promise<string> {
  const reply = await api.send<{ draftId: string }>('POST', `/content/${path}`, { saveDraft: true, ...body })
  expect(reply).toMatchObject({ status: 201, data: { draftId: expect.any(String) } })
  return reply.data.draftId
}

/** Guarantee: a draft can be saved in any state in which a person leaves it, and says what it lacks. */
describe('an unfinished draft', () => {
  test.each([
    ['text', { connections: [] }, ['connections_missing', 'text_missing']],
    ['text', { connections: [], text: '' }, ['connections_missing', 'text_missing']],
    ['text', { connections: [], text: 'Ding' }, ['connections_missing']],
    ['photos', { connections: [] }, ['connections_missing', 'media_missing']],
    ['video', { connections: [], medias: [] }, ['connections_missing', 'media_missing']],
    ['document', { connections: [], text: '', medias: [] }, ['connections_missing', 'media_missing']],
  ] as const)('of the type %s with %o is saved', async (path, body, codes) => {
    const post = await api.get(await saveDraft(body, path))
    expect(post.issues.map(({ code }) => code)).toEqual(codes)
    expect(post.issues.every(({ blocking, message }) => blocking && message.endsWith('.'))).toBe(true)
    expect(post.warnings).toEqual(post.issues.map(({ message }) => message))
    const published = await request('POST', `/content/${post.uploadId}/publish`)
    expect(published).toMatchObject({ status: 422, error: { code: 'request_invalid' } })
    expect(published.error.details?.map(({ code }) => code)).toEqual(codes)
    expect((await api.get(post.uploadId)).status).toBe('draft')
  })

  test('with connections but without text or files is saved and cannot be published', async () => {
    const text = await saveDraft({ connections: [api.first] })
    expect((await api.get(text)).issues.map(({ code }) => code)).toContain('text_missing')
    expect((await request('POST', `/content/${text}/publish`)).status).toBe(422)
    const photo = await saveDraft({ connections: [api.first] }, 'photos')
    const { issues } = await api.get(photo)
    expect(issues).toMatchObject([{ path: 'connections[0].medias', code: 'media_missing', blocking: true }])
    expect(await request('POST', `/content/${photo}/publish`)).toMatchObject({ status: 422, error: { code: 'post_invalid' } })
  })

  test('is not accepted without saveDraft, or without the field connections', async () => {
    for (const [path, body] of [
      ['text', { connections: [], text: 'Ding' }],
      ['text', { connections: [api.first], text: '' }],
      ['text', { connections: [], text: 'Ding', saveDraft: false }],
      ['photos', { connections: [api.first] }],
      ['photos', { connections: [api.first], medias: [] }],
      ['text', { text: 'Ding', saveDraft: true }],
    ] as const) {
      expect({ body, status: (await api.send('POST', `/content/${path}`, body)).status }).toEqual({ body, status: 422 })
    }
  })

  test('is what a PATCH may leave', async () => {
    const photo = await api.uploadPhoto()
    const options = { [api.first]: { title: 'Mine' } }
    const id = await saveDraft({ connections: [api.first], text: 'Ding', medias: [photo], platformOptions: options }, 'photos')
    const emptied = await request('PATCH', `/content/${id}`, { connections: [], text: '', medias: [] })
    expect(emptied).toMatchObject({ status: 200, data: { channels: [], text: '', medias: [], platformOptions: {} } })
    const refilled = await request('PATCH', `/content/${id}`, { connections: [api.second], text: 'Dong', medias: [photo] })
    expect(refilled.data).toMatchObject({ text: 'Dong', medias: [{ id: photo }], issues: [], warnings: [] })
    expect((await request('POST', `/content/${id}/publish`)).status).toBe(200)
  })

  test('has codes and values for what a platform refuses and for what it leaves out', async () => {
    const id = await saveDraft({ connections: [api.first], text: 'a'.repeat(501), title: 'A title' })
    const { issues, channels } = await api.get(id)
    expect(issues).toEqual([
      {
        path: 'connections[0].text',
        code: 'text_too_long',
        message: 'Mastodon takes at most 500 characters; this text has 501.',
        params: { platform: 'Mastodon', limit: 500, actual: 501, unit: 'character' },
        blocking: true,
      },
      expect.objectContaining({ path: 'connections[0].title', code: 'title_left_out', blocking: false }),
    ])
    expect(channels[0]?.result.warnings).toEqual(issues.map(({ message }) => message))
    const scheduled = await request('PATCH', `/content/${id}`, { text: 'short' })
    expect(scheduled.data.issues.map(({ code }) => code)).toEqual(['title_left_out'])
    expect((await request('POST', `/content/${id}/publish`)).data.issues).toEqual([])
  })
})

/** Guarantee: PATCH and validate take every field of a create. */
describe('the fields of a create', () => {
  test('are all accepted in a PATCH, and saveDraft and async change nothing', async () => {
    const id = await saveDraft({ connections: [api.first], text: 'Ding' })
    const change = {
      text: 'Dong',
      saveDraft: true,
      async: true,
      title: 'T',
      linkUrl: 'https://tower.example/',
      scheduledAt: tomorrow,
    }
    const { status, data } = await request('PATCH', `/content/${id}`, { ...change, connections: [api.first, api.second] })
    expect([status, data.status, data.text, data.channels.length]).toEqual([200, 'draft', 'Dong', 2])
    expect((await request('PATCH', `/content/${id}`, { saveDraft: false, async: false })).data.status).toBe('draft')
  })

  test('are all accepted by validate, also unfinished', async () => {
    const valid = { type: 'text', connections: [api.first], text: 'Ding', saveDraft: true, async: true }
    expect((await api.send<Verdict>('POST', '/content/validate', valid)).data).toMatchObject({ valid: true, issues: [] })
    const unfinished = await api.send<Verdict>('POST', '/content/validate', { type: 'photo', connections: [] })
    expect(unfinished).toMatchObject({ status: 200, data: { valid: false, connections: [] } })
    expect(unfinished.data.issues.map(({ code }) => code)).toEqual(['connections_missing', 'media_missing'])
    const noText = await api.send<Verdict>('POST', '/content/validate', { type: 'text', connections: [api.first] })
    expect(noText.data.valid).toBe(false)
  })

  test('include the type in a PATCH', async () => {
    const photo = await api.uploadPhoto()
    const id = await saveDraft({ connections: [api.first], text: 'Ding', contentFormat: 'text' })
    const asPhoto = await request('PATCH', `/content/${id}`, { type: 'photo', medias: [photo] })
    expect(asPhoto.data).toMatchObject({ type: 'photo', medias: [{ id: photo }], contentFormat: null, issues: [] })
    const refused = await request('PATCH', `/content/${id}`, { type: 'text' })
    expect(refused).toMatchObject({ status: 422, error: { details: [{ path: 'medias[0]', code: 'media_kind' }] } })
    const asText = await request('PATCH', `/content/${id}`, { type: 'text', medias: [] })
    expect(asText.data).toMatchObject({ type: 'text', medias: [] })
    const list = await api.send<{ data: Post[]; meta: { total: number } }>('GET', '/content?type=text')
    expect([list.data.data.map(({ uploadId }) => uploadId), list.data.meta.total]).toEqual([[id], 1])
  })

  test('keep the interface’s own limit: a video draft has at most one file', async () => {
    const id = await saveDraft({ connections: [] }, 'video')
    const two = ['0123456789abcdef01234567', '0123456789abcdef01234568']
    const { status, error } = await request('PATCH', `/content/${id}`, { medias: two })
    expect([status, error.details?.[0]?.path]).toEqual([422, 'medias'])
  })

  test('that are absent stay: options are kept when a file is named by its address', async () => {
    const id = await saveDraft({ connections: [api.first], text: 'Ding', platformOptions: { [api.first]: { text: 'Own' } } })
    const { data } = await request('PATCH', `/content/${id}`, { title: 'T' })
    expect(data.platformOptions).toEqual({ [api.first]: { text: 'Own' } })
  })
})

/** Guarantee: two people who write the same draft do not overwrite each other without noticing. */
describe('If-Match', () => {
  test('with the current ETag changes the draft, with a stale one it answers with the current draft', async () => {
    const id = await saveDraft({ connections: [api.first], text: 'One' })
    const read = await request('GET', `/content/${id}`)
    const etag = String(read.headers['etag'])
    expect(etag).toBe(`"${read.data.updatedAt}"`)
    const second = await request('PATCH', `/content/${id}`, { text: 'Two' }, { 'if-match': etag })
    expect([second.status, second.headers['etag']]).toEqual([200, `"${second.data.updatedAt}"`])
    expect(second.headers['etag']).not.toBe(etag)

    const stale = await request('PATCH', `/content/${id}`, { text: 'Three' }, { 'if-match': etag })
    expect(stale).toMatchObject({ status: 412, error: { code: 'draft_changed', current: { uploadId: id, text: 'Two' } } })
    expect((await request('POST', `/content/${id}/publish`, undefined, { 'if-match': etag })).status).toBe(412)
    expect((await api.get(id)).text).toBe('Two')
    // Without the header the last change wins.
    expect((await request('PATCH', `/content/${id}`, { text: 'Four' })).data.text).toBe('Four')
  })

  test('accepts several versions, a weakened one, and *', async () => {
    const id = await saveDraft({ connections: [api.first], text: 'One' })
    for (const wrap of [(etag: string) => `"other", ${etag}`, (etag: string) => `W/${etag}`, () => '*']) {
      const etag = String((await request('GET', `/content/${id}`)).headers['etag'])
      expect((await request('PATCH', `/content/${id}`, { text: 'Two' }, { 'if-match': wrap(etag) })).status).toBe(200)
    }
    expect((await request('PATCH', `/content/${id}`, { text: 'Two' }, { 'if-match': 'nonsense' })).status).toBe(412)
  })

  test('is of use at once: two changes in the same millisecond have different ETags, and a new draft has one', async () => {
    const created = await request('POST', '/content/text', { connections: [api.first], text: 'One', saveDraft: true })
    const etags = [created.headers['etag']]
    const id = (created.data as unknown as { draftId: string }).draftId
    for (const text of ['Two', 'Three', 'Four']) etags.push((await request('PATCH', `/content/${id}`, { text })).headers['etag'])
    expect(new Set(etags).size).toBe(4)
  })

  test('of a repeated request is that of its answer', async () => {
    const id = await saveDraft({ connections: [api.first], text: 'One' })
    const headers = { 'idempotency-key': 'k1' }
    const first = await request('PATCH', `/content/${id}`, { text: 'Two' }, headers)
    const again = await request('PATCH', `/content/${id}`, { text: 'Two' }, headers)
    expect([again.headers['idempotent-replayed'], again.headers['etag']]).toEqual(['true', first.headers['etag']])
  })
})

/** Guarantee: an editor that saves every few seconds fills neither the audit log nor the table of idempotency keys. */
test('Prefer: autosave writes one audit entry in ten minutes and no idempotency row', async () => {
  const id = await saveDraft({ connections: [api.first], text: 'One' })
  const other = await saveDraft({ connections: [api.first], text: 'One' })
  const headers = { prefer: 'autosave', 'idempotency-key': 'same' }
  for (const text of ['Two', 'Three', 'Four']) {
    const saved = await request('PATCH', `/content/${id}`, { text }, headers)
    expect([saved.status, saved.data.text, saved.headers['preference-applied']]).toEqual([200, text, 'autosave'])
    expect(saved.headers['idempotent-replayed']).toBeUndefined()
  }
  await request('PATCH', `/content/${other}`, { text: 'Two' }, headers)
  const entries = () =>
    api.ctx.db.system
      .selectFrom('audit_entry')
      .where('workspace_id', '=', api.workspaceId)
      .where('action', '=', 'post.update')
      .select('subject_id')
      .orderBy('id')
      .execute()
  expect((await entries()).map((entry) => entry.subject_id)).toEqual([id, other])
  const keys = await api.ctx.db.system
    .selectFrom('idempotency')
    .where('workspace_id', '=', api.workspaceId)
    .where('route', 'like', 'PATCH%')
    .select('key')
    .execute()
  expect(keys).toEqual([])
  // A change by hand is always written.
  await request('PATCH', `/content/${id}`, { text: 'Five' })
  expect(await entries()).toHaveLength(3)
})

/** Guarantee: a connection can leave out a common field, and have its own alt texts. */
describe('the options of a connection', () => {
  test('leave a common field out with null', async () => {
    const fields = { text: 'Ding', title: 'T', firstComment: 'First!', linkUrl: 'https://tower.example/' }
    const platformOptions = { [api.second]: { firstComment: null, linkUrl: null, title: null } }
    const id = await saveDraft({ connections: [api.first, api.second], ...fields, platformOptions })
    const post = await api.get(id)
    expect(post.platformOptions).toEqual(platformOptions)
    expect(post.channels.map(({ result }) => result.warnings.length)).toEqual([2, 0])
    expect((await api.channels(id)).map((channel) => channel.parts)).toEqual([2, 1])
    const noText = { connections: [api.first, api.second], text: 'Ding', platformOptions: { [api.second]: { text: null } } }
    expect((await api.send('POST', '/content/text', noText)).status).toBe(422)
  })

  test('give the common files other alt texts', async () => {
    const [one, two] = [await api.uploadPhoto(), await api.uploadPhoto()]
    const connections = [api.first, api.second]
    const options = (alt: string) => ({ [api.second]: { mediaOptions: [{ alt }] } })
    const id = await saveDraft(
      { connections, medias: [one], mediaOptions: [{ alt: 'common' }], platformOptions: options('own') },
      'photos',
    )
    const alts = async () => {
      const rows = await api.ctx.db.system
        .selectFrom('post_media')
        .where('post_id', '=', id)
        .select(['connection_slug', 'media_id', 'alt'])
        .orderBy('connection_slug')
        .orderBy('position')
        .execute()
      return rows.map((row) => [row.connection_slug, row.media_id, row.alt])
    }
    expect(await alts()).toEqual([
      ['', one, 'common'],
      [api.second, one, 'own'],
    ])
    await request('PATCH', `/content/${id}`, { medias: [one, two] })
    expect(await alts()).toEqual([
      ['', one, null],
      ['', two, null],
      [api.second, one, 'own'],
      [api.second, two, null],
    ])
    await request('PATCH', `/content/${id}`, { mediaOptions: [{ alt: 'new' }], platformOptions: options('a'.repeat(1501)) })
    expect((await alts()).slice(0, 2)).toEqual([
      ['', one, 'new'],
      ['', two, null],
    ])
    expect((await api.get(id)).issues).toMatchObject([{ path: 'connections[1].medias[0].alt', code: 'alt_too_long' }])
  })
})

/** Guarantee: a link that no program can parse is refused at once, not when the post is due. */
test.each(['https://<your-site>/promo', 'https://', 'http://a b.example', 'https://[', 'ftp://tower.example/', 'tower.example'])(
  'the link %s is refused',
  async (linkUrl) => {
    const body = { connections: [api.first], text: 'Ding' }
    for (const bad of [{ linkUrl }, { platformOptions: { [api.first]: { linkUrl } } }]) {
      const { status, error } = await request('POST', '/content/text', { ...body, ...bad })
      expect([status, error.details?.length, error.details?.[0]?.message]).toEqual([
        422,
        1,
        'Must be a complete address that starts with http:// or https://.',
      ])
    }
    expect((await request('POST', '/content/photos', { ...body, medias: [linkUrl], saveDraft: true, async: true })).status).toBe(
      422,
    )
  },
)

/** Guarantee: no number in a request makes the server fail. */
test.each(['1e18', '1e9', '99999999999999999999', '1e400', '0', '-1', '1.5', 'NaN'])('page=%s is answered', async (page) => {
  const { status } = await api.send('GET', `/content?page=${page}`)
  expect(status).toBe(page === '1e9' ? 200 : 422)
  expect((await api.send('GET', `/media?page=${page}`)).status).toBe(status)
})

test.each(['0000-01-01', '0001-01-01', '9999-12-31', '2026-02-31', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'from=%s is answered',
  async (from) => {
    const { status } = await api.send('GET', `/content?from=${from}&to=${from}`)
    expect(status).toBe(from.startsWith('0000') || from === '2026-02-31' ? 422 : 200)
  },
)

/** Guarantee: a search finds a word whatever the case of its letters, also outside of ASCII. */
test('search finds letters of every script in either case', async () => {
  await saveDraft({ connections: [], text: 'Großer Ärger im Turm' })
  await saveDraft({ connections: [], text: 'other', title: 'ΚΑΜΠΑΝΑ 100%' })
  const find = async (search: string) => {
    const { data } = await api.send<{ meta: { total: number } }>('GET', `/content?search=${encodeURIComponent(search)}`)
    return data.meta.total
  }
  const totals = await Promise.all(['ärger', 'ÄRGER', 'Ärger', 'καμπανα', '100%', '1_0%', 'örger'].map(find))
  expect(totals).toEqual([1, 1, 1, 1, 1, 0, 0])
})

/** Guarantee: a post that is due after a permission ends which only the owner can renew has a warning from the start. */
test('a post that is scheduled after the end of a permission has a warning', async () => {
  const dayMs = 86_400_000
  const connect = async (days: number, refreshToken?: string) => {
    const credentials = { accessToken: 't', expiresAtMs: Date.now() + days * dayMs, ...(refreshToken && { refreshToken }) }
    const account = { platform: 'linkedin' as const, handle: `h${days}`, accountId: `${days}${refreshToken}`, credentials }
    const [made] = await addConnections(api.ctx, api.workspaceId, [account])
    return made?.slug ?? ''
  }
  const connections = [await connect(2), await connect(20), await connect(3, 'refresh')]
  const scheduledAt = new Date(Date.now() + 10 * dayMs).toISOString()
  const { channels } = await api.get(await api.create({ connections, scheduledAt }))
  expect(channels.map(({ result }) => result.warnings)).toEqual([
    [expect.stringMatching(/^The permission of linkedin-h2 ends on \d{4}-\d\d-\d\d, before this post is due, and LinkedIn /)],
    [],
    [],
  ])
})

/** Guarantee: a reason of the platform that is a sentence does not end in two full stops. */
test('the refusal of a connection that needs reconnecting is one clean sentence', async () => {
  for (const reason of ['X no longer accepts this connection. Reconnect the account.', 'its permission has ended']) {
    await api.ctx.db.system
      .updateTable('connection')
      .where('workspace_id', '=', api.workspaceId)
      .where('slug', '=', api.first)
      .set({ status: 'needs_reconnect', status_reason: reason })
      .execute()
    const { error } = await request('POST', '/content/text', { connections: [api.first], text: 'Ding' })
    expect(error.details?.[0]?.message).toMatch(/[^.]\.$/)
  }
})

/** Guarantee: the numbers of a bulk answer add up. */
test('a bulk request with an id that is named twice counts it once', async () => {
  const id = await saveDraft({ connections: [], text: 'Ding' })
  const unknown = '0123456789abcdef01234567'
  const { data } = await api.send('POST', '/content/bulk-archive', { ids: [id, id, unknown] })
  expect(data).toMatchObject({ requested: 2, succeeded: 1, failed: [{ id: unknown }] })
})

test('a post that is archived again keeps the time at which it was archived', async () => {
  const id = await saveDraft({ connections: [], text: 'Ding' })
  const archivedAt = async () => (await request('PATCH', `/content/${id}/archive`)).data.archivedAt
  const first = await archivedAt()
  expect(first).not.toBeNull()
  expect(await archivedAt()).toEqual(first)
})
