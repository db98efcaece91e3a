import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noLimits, type Media, type MediaRules } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { openServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { fileRoutes } from './download/file.routes.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { makeClip, makeGif, makeLargePng, makePdf, makePhoto, makePng, makePngBomb, makeZip } from './files.fixture.ts'
import { findFiles } from './find-files.ts'
import { attachMedia, findChannelMedia } from './attached-media.ts'
import { mediaRoutes } from './media.routes.ts'
import { findMediaItem, type MediaRow } from './media.store.ts'
import { prepareMedia } from './prepare-media.ts'
import { insertStoredFile } from './upload/store-file.ts'
import { storeRemoteFile } from './upload/store-remote-file.ts'
import { sweepStorage } from './sweep-storage.ts'

let dir: string
let database: TestDatabase
let ctx: Context
let app: FastifyInstance
let origin: string
let close: () => Promise<void>
let tenant: { workspaceId: string; apiKey: string }
let neighbour: { workspaceId: string; apiKey: string }

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-media-'))
  database = await startDatabase()
  const env = {
    CARILLON_MEDIA_DIR: join(dir, 'media'),
    CARILLON_MEDIA_BYTES_MAX: '30000000',
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
  }
  ;({ ctx, app, close } = openServer({ database, env, api: [mediaRoutes], root: [fileRoutes] }))
  const { config } = ctx
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
  // Signed URLs must contain the port of this test.
  const { createFolderStorage } = await import('../../infra/storage/create-folder-storage.ts')
  const { createSigner } = await import('../../infra/storage/create-signer.ts')
  Object.assign(ctx, {
    storage: createFolderStorage({ dir: config.media.dir, filesUrl: origin, signer: createSigner(config.secretKeys) }),
  })
  tenant = await setUpWorkspace(ctx, { workspace: 'Tower', email: 'ringer@example.com' })
  neighbour = await setUpWorkspace(ctx, { workspace: 'Other', email: 'other@example.com' })
}, 90_000)

afterAll(async () => {
  await close()
  await database.stop()
  await rm(dir, { recursive: true, force: true })
})

type Reply<T> = { status: number; data: T; error: { code: string; message: string; details?: { path: string }[] } }

async function ask<T = Media>(
  method: string,
  path: string,
  sent: { form?: FormData; body?: object; as?: typeof tenant; key?: string } = {},
): Promise<Reply<T>> {
  const { workspaceId, apiKey } = sent.as ?? tenant
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-workspace-id': workspaceId,
      ...(sent.body && { 'content-type': 'application/json' }),
      ...(sent.key && { 'idempotency-key': sent.key }),
    },
    ...(sent.form && { body: sent.form }),
    ...(sent.body && { body: JSON.stringify(sent.body) }),
  })
  const { data, error } = (await response.json()) as Omit<Reply<T>, 'status'>
  return { status: response.status, data, error }
}

function form(...parts: [name: string, value: Buffer | string, fileName?: string][]): FormData {
  const made = new FormData()
  for (const [name, value, fileName = 'file'] of parts) {
    if (typeof value === 'string') made.append(name, value)
    else made.append(name, new File([new Uint8Array(value)], fileName))
  }
  return made
}

async function upload(bytes: Buffer, name = 'file', as = tenant): Promise<Media> {
  const { status, data, error } = await ask('POST', '/media/upload', { form: form(['file', bytes, name]), as })
  expect({ status, error }).toEqual({ status: 201, error: undefined })
  return data
}

async function row(id: string): Promise<MediaRow> {
  const found = await findMediaItem(ctx.db.system, { workspaceId: tenant.workspaceId, id })
  if (!found) throw new Error(`there is no media ${id}`)
  return found
}

const spooled = () => readdir(join(dir, 'media', '.spool')).catch(() => [])

/** Guarantee: an uploaded file is served byte for byte, and its type comes from its content and not from its name. */
describe('uploading', () => {
  test('stores an image', async () => {
    const bytes = await makePng()
    const item = await upload(bytes, 'ünïcode näme.pdf')
    expect(item).toMatchObject({
      name: 'ünïcode näme.pdf',
      type: 'image',
      mimeType: 'image/png',
      sizeBytes: bytes.length,
      width: 320,
      height: 240,
      durationSeconds: null,
      pages: null,
      tags: [],
      alt: '',
      description: '',
      usedBy: [],
    })
    const got = await fetch(item.url)
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
    expect(got.headers.get('x-content-type-options')).toBe('nosniff')
    expect(got.headers.get('content-disposition')).toMatch(/^inline; /)
    const small = await sharp(Buffer.from(await (await fetch(item.thumbnailUrl ?? '')).arrayBuffer())).metadata()
    expect(small).toMatchObject({ format: 'webp', width: 320 })
    expect(await spooled()).toEqual([])
  })

  test('stores a video and a document', async () => {
    const video = await upload(await readFile(await makeClip({ path: join(dir, 'clip.mp4') })))
    expect(video).toMatchObject({ type: 'video', mimeType: 'video/mp4', width: 320, height: 240, durationSeconds: 2 })
    const mov = await upload(await readFile(await makeClip({ path: join(dir, 'clip.mov') })))
    expect(mov).toMatchObject({ type: 'video', mimeType: 'video/quicktime' })
    const paper = await upload(makePdf({ pages: 3 }))
    expect(paper).toMatchObject({ type: 'document', mimeType: 'application/pdf', pages: 3 })
    expect((await fetch(paper.url)).headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  test('returns the same item for the same Idempotency-Key and file, and refuses another file', async () => {
    const key = newUuid()
    const bytes = await makePng({ width: 33 })
    const [first, again] = [
      await ask('POST', '/media/upload', { form: form(['file', bytes]), key }),
      await ask('POST', '/media/upload', { form: form(['file', bytes]), key }),
    ]
    expect([first.status, again.status, again.data.id]).toEqual([201, 201, first.data.id])
    expect((await ask('POST', '/media/upload', { form: form(['file', await makePng({ width: 34 })]), key })).error.code).toBe(
      'idempotency_key_reused',
    )
    const { rows } = await storedKeys()
    expect(rows.filter((each) => each.includes(first.data.id))).toHaveLength(2)
  })
})

async function storedKeys(): Promise<{ rows: string[] }> {
  const found = await readdir(join(dir, 'media', tenant.workspaceId), { recursive: true }).catch(() => [])
  return { rows: found.filter((name) => /original|thumbnail|rendition/.test(name)) }
}

/** Guarantee: files that are not media or are built to attack a decoder are refused with a reason, and nothing of them is stored. */
describe('refused uploads', () => {
  const refusals: [string, () => Promise<Buffer> | Buffer, number, string][] = [
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'media_type_refused'],
    ['text', () => Buffer.from('no picture'), 415, 'media_type_refused'],
    ['nothing', () => Buffer.alloc(0), 415, 'media_type_refused'],
    ['an archive', makeZip, 415, 'media_type_refused'],
    ['a picture of 65,000 × 65,000 pixels', () => makePngBomb(65_000), 422, 'media_unreadable'],
    ['a picture without its pixels', () => makePngBomb(9_900), 422, 'media_unreadable'],
    ['10,000 frames', () => makeGif({ frames: 10_000 }), 422, 'media_unreadable'],
    ['half a photo', async () => (await makePhoto()).subarray(0, 5000), 422, 'media_unreadable'],
    ['a picture that is an archive too', async () => Buffer.concat([await makePng(), makeZip()]), 422, 'media_unreadable'],
    ['5,000 pages', () => makePdf({ pages: 5000 }), 422, 'media_unreadable'],
    ['half a document', () => Buffer.from('%PDF-1.4\n1 0 obj <<'), 422, 'media_unreadable'],
    ['a file above the size limit', () => Buffer.concat([makeGif(), Buffer.alloc(30_000_001)]), 413, 'media_too_large'],
  ]
  test.each(refusals)('refuses %s', async (_name, make, status, code) => {
    const before = await storedKeys()
    const answer = await ask('POST', '/media/upload', { form: form(['file', await make(), 'x.png']) })
    expect([answer.status, answer.error.code]).toEqual([status, code])
    expect(await spooled()).toEqual([])
    expect(await storedKeys()).toEqual(before)
  })

  test('refuses videos that are cut off or altered', async () => {
    const clip = await readFile(await makeClip({ path: join(dir, 'whole.mp4') }))
    const send = async (bytes: Buffer) => ask('POST', '/media/upload', { form: form(['file', bytes, 'x.mp4']) })
    for (const bytes of [
      clip.subarray(0, clip.length - 1000),
      Buffer.concat([clip, Buffer.from('and more')]),
      clip.subarray(0, 4000),
    ])
      expect((await send(bytes)).error.code).toBe('media_unreadable')
    // Seeded, so that every run changes the same bytes. A damaged index is refused, a changed pixel may be accepted.
    let state = 7
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    for (let n = 0; n < 12; n++) {
      const broken = Buffer.from(clip)
      for (let hit = 0; hit < 40; hit++) broken[Math.floor(random() * 3000)] = Math.floor(random() * 256)
      const { status } = await send(broken)
      expect([201, 415, 422]).toContain(status)
    }
  }, 60_000)

  test('refuses forms that do not have exactly one file', async () => {
    const png = await makePng()
    for (const sent of [
      form(['other', 'x']),
      form(['picture', png]),
      form(['file', png], ['more', 'x']),
      form(['file', png], ['file', png]),
      form(['file', 'text']),
    ]) {
      const answer = await ask('POST', '/media/upload', { form: sent })
      expect([answer.status, answer.error.code]).toEqual([422, 'request_invalid'])
    }
    expect((await ask('POST', '/media/upload', { body: { file: 'x' } })).status).toBe(415)
    expect(await spooled()).toEqual([])
  })
})

/** Guarantee: a signed URL gives access to one file, for reading it or for writing it, until it expires. */
describe('signed URLs', () => {
  test('are refused if they are altered', async () => {
    const { url } = await upload(await makePng({ width: 50 }))
    const other = await upload(await makePng({ width: 51 }))
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    const altered = [...new URL(url).searchParams.keys()].map((name) => {
      const made = new URL(url)
      made.searchParams.set(name, `${made.searchParams.get(name)}0`)
      return made.href
    })
    for (const address of [
      ...altered,
      url.replace(/media\/[0-9a-f]{24}/, `media/${other.id}`),
      `${url}&type=text/html`,
      url.replace('/original', '/../original'),
    ])
      for (const method of ['GET', 'HEAD']) expect((await fetch(address, { method })).status).toBe(403)
  })

  // Platforms that fetch a file ask for its size and type first.
  test('answer HEAD like GET, without the file', async () => {
    const { url } = await upload(await makePng({ width: 54 }))
    const names = ['content-type', 'content-length', 'content-range', 'content-disposition', 'accept-ranges', 'cache-control']
    for (const range of [undefined, 'bytes=0-3']) {
      const answerTo = async (method: string) => {
        const got = await fetch(url, { method, headers: range === undefined ? {} : { range } })
        const answer = [got.status, ...names.map((name) => got.headers.get(name))]
        return { answer, sizeBytes: (await got.arrayBuffer()).byteLength }
      }
      const [got, asked] = [await answerTo('GET'), await answerTo('HEAD')]
      expect(asked.answer).toEqual(got.answer)
      expect(asked.answer[0]).toBe(range === undefined ? 200 : 206)
      expect([got.sizeBytes > 0, asked.sizeBytes]).toEqual([true, 0])
    }
  })

  test('are refused after they expire', async () => {
    const { id } = await upload(await makePng({ width: 52 }))
    const url = await ctx.storage.signGet((await row(id)).storage_key, {
      expiresInSeconds: -2,
      mimeType: 'image/png',
      fileName: 'x',
      isAttachment: false,
    })
    expect((await fetch(url)).status).toBe(403)
  })

  test('serve ranges of a file', async () => {
    const bytes = await makePng({ width: 53 })
    const { url } = await upload(bytes)
    const range = async (wanted: string) => {
      const got = await fetch(url, { headers: { range: wanted } })
      return [got.status, got.headers.get('content-range'), Buffer.from(await got.arrayBuffer()).toString('hex')]
    }
    expect(await range('bytes=0-3')).toEqual([206, `bytes 0-3/${bytes.length}`, bytes.toString('hex', 0, 4)])
    expect(await range('bytes=-4')).toEqual([
      206,
      `bytes ${bytes.length - 4}-${bytes.length - 1}/${bytes.length}`,
      bytes.toString('hex', bytes.length - 4),
    ])
    expect((await range(`bytes=${bytes.length}-`))[0]).toBe(416)
  })
})

describe('the library', () => {
  test('changes, finds and deletes items', async () => {
    const { id } = await upload(await makePng({ width: 60 }), 'needle 100%.png')
    const change = { alt: 'A blue field', description: 'For tests', tags: ['sea', 'blue'] }
    expect((await ask('PATCH', `/media/${id}`, { body: change })).data).toMatchObject(change)
    expect((await ask('PATCH', `/media/${id}`, { body: { tags: ['a,b'] } })).status).toBe(422)
    const find = async (query: string) => (await ask<{ results: Media[]; total: number }>('GET', `/media?${query}`)).data
    expect((await find('tags=none,blue')).results.map((item) => item.id)).toEqual([id])
    expect(await find('search=100%25')).toMatchObject({ total: 1, page: 1, limit: 10 })
    expect((await find('search=needle&type=video')).total).toBe(0)
    for (const query of ['type=opera', 'limit=0', 'limit=101', 'page=0', 'page=x', 'sort=colour'])
      expect((await ask('GET', `/media?${query}`)).status).toBe(422)
    expect((await ask('GET', `/media/${id}`, { as: neighbour })).error.code).toBe('media_not_found')
    expect((await ask('DELETE', `/media/${id}`, { as: neighbour })).status).toBe(404)
    expect((await ask('DELETE', `/media/${id}`)).data).toBe(null)
    expect((await ask('GET', `/media/${id}`)).status).toBe(404)
    await expect.poll(async () => (await storedKeys()).rows.filter((name) => name.includes(id))).toEqual([])
  })

  test('does not delete an item that a draft uses, unless forced', async () => {
    const [used, free] = [await upload(await makePng({ width: 61 })), await upload(await makePng({ width: 62 }))]
    const postId = await draft()
    await ctx.db.tenant(tenant.workspaceId, (tx) =>
      attachMedia(tx, { workspaceId: tenant.workspaceId, postId }, [{ mediaId: used.id, alt: 'own' }]),
    )
    expect((await ask('GET', `/media/${used.id}`)).data.usedBy).toEqual([postId])
    expect((await ask('DELETE', `/media/${used.id}`)).error.code).toBe('media_in_use')
    const bulk = await ask('POST', '/media/bulk-delete', { body: { ids: [used.id, free.id, newId(0)] } })
    expect(bulk.data).toMatchObject({
      requested: 3,
      succeeded: 1,
      failed: [{ id: used.id, code: 'media_in_use' }, { code: 'media_not_found' }],
    })
    const [attached] = await findChannelMedia(ctx, {
      workspaceId: tenant.workspaceId,
      postId,
      connection: 'x-demo',
      hasOwn: false,
    })
    expect([attached?.row.id, attached?.alt]).toEqual([used.id, 'own'])
    expect((await ask('DELETE', `/media/${used.id}?force=true`)).status).toBe(200)
    expect(await findChannelMedia(ctx, { workspaceId: tenant.workspaceId, postId, connection: 'x-demo', hasOwn: false })).toEqual(
      [],
    )
  })

  test('names the field that refers to a missing item', async () => {
    const { id } = await upload(await makePng({ width: 63 }))
    const findNamed = (as: typeof tenant, ids: string[]) =>
      ctx.db.tenant(as.workspaceId, (tx) => {
        const named = ids.map((each, index) => ({ id: each, path: `medias[${index}]` }))
        return findFiles({ tx, principal: { workspaceId: as.workspaceId } as never }, named)
      })
    expect([...(await findNamed(tenant, [id, id])).values()]).toMatchObject([{ id, type: 'image', width: 63 }])
    await expect(findNamed(neighbour, [id])).rejects.toMatchObject({ code: 'request_invalid', details: [{ path: 'medias[0]' }] })
  })
})

async function draft(): Promise<string> {
  const id = newId(Date.now())
  const at = new Date()
  const post = {
    workspace_id: tenant.workspaceId,
    id,
    request_id: newUuid(),
    status: 'draft',
    type: 'photo',
    platform_options: '{}',
    warnings: '[]',
    created_at: at,
    updated_at: at,
  } as const
  await ctx.db.tenant(tenant.workspaceId, (tx) => tx.insertInto('post').values(post).execute())
  return id
}

/** Guarantee: a file sent in parts is treated like one sent at once, and an aborted upload leaves nothing behind. */
describe('uploading in parts', () => {
  type Started = { id: string; partSizeBytes: number; parts: { partNumber: number; url: string }[] }
  const start = async (sizeBytes: number) =>
    (await ask<Started>('POST', '/media/uploads', { body: { name: 'big.png', sizeBytes } })).data

  async function sendParts({ parts, partSizeBytes }: Started, bytes: Buffer) {
    return Promise.all(
      parts.map(async ({ partNumber, url }) => {
        const body = new Uint8Array(bytes.subarray((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes))
        const answer = await fetch(url, { method: 'PUT', body })
        expect(answer.status).toBe(200)
        return { partNumber, etag: answer.headers.get('etag') ?? '' }
      }),
    )
  }

  test('adds the file to the library under the id of the upload', async () => {
    const bytes = await makeLargePng()
    expect(bytes.length).toBeGreaterThan(8 * 1024 * 1024)
    const started = await start(bytes.length)
    expect(started.parts).toHaveLength(2)
    const parts = await sendParts(started, bytes)
    const done = await ask('POST', `/media/uploads/${started.id}/complete`, { body: { parts } })
    expect(done.data).toMatchObject({
      id: started.id,
      name: 'big.png',
      mimeType: 'image/png',
      width: 2000,
      sizeBytes: bytes.length,
    })
    const got = Buffer.from(await (await fetch(done.data.url)).arrayBuffer())
    expect(createHash('sha256').update(got).digest()).toEqual(createHash('sha256').update(bytes).digest())
    expect((await row(started.id)).sha256).toEqual(createHash('sha256').update(bytes).digest())
    // A client that lost the answer repeats the request.
    expect((await ask('POST', `/media/uploads/${started.id}/complete`, { body: { parts } })).data.id).toBe(started.id)
    const first = started.parts[0]?.url ?? ''
    expect((await fetch(first, { method: 'PUT', body: 'late' })).status).toBe(404)
    for (const method of ['GET', 'HEAD']) expect((await fetch(first, { method })).status).toBe(403)
  })

  test('refuses wrong parts, a wrong size and a wrong type', async () => {
    const bytes = await makePng({ width: 70 })
    const started = await start(bytes.length)
    const path = `/media/uploads/${started.id}/complete`
    expect((await ask('POST', path, { body: { parts: [{ partNumber: 1, etag: 'x' }] } })).error.code).toBe('upload_incomplete')
    await sendParts(started, bytes)
    expect((await ask('POST', path, { body: { parts: [{ partNumber: 1, etag: 'x' }] } })).error.code).toBe('upload_incomplete')
    const short = await start(bytes.length + 1)
    const parts = await sendParts(short, bytes)
    expect((await ask('POST', `/media/uploads/${short.id}/complete`, { body: { parts } })).error.code).toBe('upload_incomplete')
    const text = Buffer.from('no picture at all')
    const wrong = await start(text.length)
    const wrongParts = await sendParts(wrong, text)
    expect((await ask('POST', `/media/uploads/${wrong.id}/complete`, { body: { parts: wrongParts } })).status).toBe(415)
    expect((await ask('POST', '/media/uploads', { body: { name: 'x', sizeBytes: 30_000_001 } })).status).toBe(413)
  })

  /** Guarantee: no database connection waits for the storage. */
  test('calls the storage while no transaction is open', async () => {
    const { create, abort } = ctx.storage.parts
    const { tenant: openTransaction } = ctx.db
    let open = 0
    const during: number[] = []
    const count: typeof openTransaction = async (workspaceId, work) => {
      open++
      return openTransaction(workspaceId, work).finally(() => open--)
    }
    Object.assign(ctx.db, { tenant: count })
    Object.assign(ctx.storage.parts, {
      create: (...args: Parameters<typeof create>) => (during.push(open), create(...args)),
      abort: (...args: Parameters<typeof abort>) => (during.push(open), abort(...args)),
    })
    try {
      const started = await start(100)
      expect((await ask('DELETE', `/media/uploads/${started.id}`)).status).toBe(200)
    } finally {
      Object.assign(ctx.db, { tenant: openTransaction })
      Object.assign(ctx.storage.parts, { create, abort })
    }
    expect(during).toEqual([0, 0])
  })

  test('starts one upload for one Idempotency-Key', async () => {
    const key = newUuid()
    const body = { name: 'big.png', sizeBytes: 100 }
    const first = await ask<Started>('POST', '/media/uploads', { body, key })
    const second = await ask<Started>('POST', '/media/uploads', { body, key })
    expect(second.data).toEqual(first.data)
    const uploads = ctx.db.system.selectFrom('media_upload').where('workspace_id', '=', tenant.workspaceId)
    expect(await uploads.where('id', '=', first.data.id).selectAll().execute()).toHaveLength(1)
  })

  test('can be aborted', async () => {
    const started = await start(100)
    expect((await ask('DELETE', `/media/uploads/${started.id}`)).status).toBe(200)
    expect((await ask('DELETE', `/media/uploads/${started.id}`)).error.code).toBe('upload_not_found')
    expect(
      (await ask('POST', `/media/uploads/${started.id}/complete`, { body: { parts: [{ partNumber: 1, etag: 'x' }] } })).status,
    ).toBe(404)
  })
})

/** Guarantee: a file fetched from a URL passes the same checks as an uploaded one. */
describe('fetching from a URL', () => {
  let server: Server
  let base: string
  const answers: Record<string, (send: (status: number, body: Buffer, headers?: Record<string, string>) => void) => void> = {}
  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = answers[request.url ?? '']
      if (!answer) return void response.writeHead(404).end()
      answer((status, body, headers) => response.writeHead(status, headers).end(body))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const store = (path: string) =>
    storeRemoteFile(ctx, { workspaceId: tenant.workspaceId, url: path.startsWith('http') ? path : base + path })

  test('follows redirects to an image', async () => {
    const bytes = await makePhoto({ width: 2000, height: 1500 })
    answers['/far/pic%20ture.jpg'] = (send) => send(200, bytes)
    answers['/near'] = (send) => send(302, Buffer.alloc(0), { location: '/far/pic%20ture.jpg' })
    const stored = await store('/near')
    const item = await ctx.db.tenant(tenant.workspaceId, (tx) => insertStoredFile(ctx, tx, stored))
    expect(item).toMatchObject({ name: 'pic ture.jpg', mime_type: 'image/jpeg', width: 2000, size_bytes: String(bytes.length) })
  })

  test('refuses URLs that are missing, not media, too large, redirect forever or are not public', async () => {
    answers['/page'] = (send) => send(200, Buffer.from('<html>'), { 'content-type': 'image/png' })
    answers['/large'] = (send) => send(200, Buffer.concat([makeGif(), Buffer.alloc(30_000_001)]))
    answers['/round'] = (send) => send(302, Buffer.alloc(0), { location: '/round' })
    const codes = async (path: string) => store(path).catch((error: { code: string }) => error.code)
    expect(await codes('/gone')).toBe('media_not_fetched')
    expect(await codes('/page')).toBe('media_type_refused')
    expect(await codes('/large')).toBe('media_too_large')
    expect(await codes('/round')).toBe('media_not_fetched')
    expect(await codes('http://10.1.2.3/x.png')).toBe('url_refused')
    expect(await codes('file:///etc/passwd')).toBe('url_refused')
    expect(await spooled()).toEqual([])
  })
})

const anyMedia: MediaRules = { ...noLimits, max: 4, mimeTypes: [] }

/** Guarantee: a file sent to a platform fits the platform's rules and has no metadata, and every change is reported. */
describe('preparing for a platform', () => {
  async function prepare(id: string, rules: Partial<MediaRules>, altRules = { isTaken: true, max: 1000 as number | null }) {
    const made = await prepareMedia(ctx, { row: await row(id) }, { ...anyMedia, ...rules }, altRules)
    if (!made.ok) throw new Error(made.violations.join(' '))
    return { ...made, bytes: Buffer.from(await made.media.read()) }
  }

  test('removes the place from a photo and turns it upright', async () => {
    const bytes = await makePhoto({ gps: true })
    expect(await sharp(bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) })
    const { id } = await upload(bytes, 'holiday.jpeg')
    const made = await prepare(id, {})
    const found = await sharp(made.bytes).metadata()
    expect([found.exif, found.xmp, found.iptc]).toEqual([undefined, undefined, undefined])
    // The pixels were rotated, and only the removed metadata contained the orientation.
    expect([found.width, found.height, found.orientation]).toEqual([480, 640, undefined])
    expect(made.changes).toEqual(['Metadata of the file, such as place and camera, was removed.'])
    expect(made.media).toMatchObject({ mimeType: 'image/jpeg', sizeBytes: made.bytes.length, name: 'holiday.jpg' })
    const got = await fetch(await made.media.url())
    expect(Buffer.from(await got.arrayBuffer()).equals(made.bytes)).toBe(true)
  })

  test('converts to a smaller size, fewer bytes and another type, once', async () => {
    const { id } = await upload(await makePng({ width: 3000, height: 2000, alpha: true }), 'sea.png')
    const made = await prepare(id, { mimeTypes: ['image/jpeg'], widthMax: 1440, bytesMax: 100_000 })
    expect(await sharp(made.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1440, height: 960 })
    expect(made.media.name).toBe('sea.jpg')
    expect(made.changes).toEqual([
      'The picture was made a JPEG.',
      'The transparent parts were made white.',
      'The picture was made smaller: 1440 × 960 pixels.',
      'The file was compressed to at most 100 kB.',
    ])
    const { id: noisy } = await upload(await makePhoto({ width: 2400, height: 1800 }))
    const light = await prepare(noisy, { bytesMax: 400_000 })
    expect(light.bytes.length).toBeLessThanOrEqual(400_000)
    // The second call finds the stored rendition.
    const before = await storedKeys()
    await prepare(noisy, { bytesMax: 400_000 })
    expect(await storedKeys()).toEqual(before)
  }, 40_000)

  test('guarantee: nothing of a removed item stays in the storage, and no rendition of it either', async () => {
    const { id } = await upload(await makePng({ width: 300 }))
    await prepare(id, { mimeTypes: ['image/jpeg'] })
    const own = async () => (await storedKeys()).rows.filter((name) => name.includes(id))
    expect(await own()).toHaveLength(3)
    await ask('DELETE', `/media/${id}`)
    await expect.poll(own, { timeout: 15_000 }).toEqual([])
  })

  test('removes metadata from an animation and keeps its frames', async () => {
    const plain = makeGif({ frames: 4 })
    const xmp = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from('XMP DataXMP'),
      Buffer.from([3]),
      Buffer.from('GPS'),
      Buffer.from([0]),
    ])
    const { id } = await upload(Buffer.concat([plain.subarray(0, -1), xmp, plain.subarray(-1)]))
    const made = await prepare(id, {})
    expect(made.bytes.includes('XMP')).toBe(false)
    expect((await sharp(made.bytes).metadata()).pages).toBe(4)
  })

  test('returns the original if it fits', async () => {
    const bytes = await makePng({ width: 80 })
    const { id } = await upload(bytes)
    const made = await prepare(id, { mimeTypes: ['image/png'] })
    expect([made.changes, made.bytes.equals(bytes)]).toEqual([[], true])
  })

  test('converts a video with another codec, too many bytes and a place', async () => {
    const path = await makeClip({
      path: join(dir, 'place.mov'),
      size: '1280x720',
      seconds: 3,
      codec: ['-c:v', 'mpeg4', '-q:v', '1', '-c:a', 'pcm_s16le'],
      more: ['-metadata', 'location=+48.8584+002.2945/', '-metadata', 'make=Test'],
    })
    const { id } = await upload(await readFile(path), 'trip.mov')
    const made = await prepare(id, { mimeTypes: ['video/mp4'], bytesMax: 200_000, widthMax: 640 })
    expect(made.media).toMatchObject({ mimeType: 'video/mp4', width: 640, height: 360, name: 'trip.mp4' })
    expect(made.bytes.length).toBeLessThanOrEqual(200_000)
    expect(made.bytes.includes('48.8584')).toBe(false)
    expect(made.changes.join(' ')).toMatch(/an MP4.*encoded again.*640 × 360.*200 kB.*removed/)
  }, 60_000)

  test('refuses files that cannot be made to fit', async () => {
    const { id } = await upload(await makePng({ width: 1000, height: 100 }))
    await expect(prepare(id, { ratioMax: 1.91 })).rejects.toThrow('too wide')
    const { id: long } = await upload(await readFile(await makeClip({ path: join(dir, 'long.mp4'), seconds: 5 })))
    await expect(prepare(long, { secondsMax: 3 })).rejects.toThrow('at most 3 s')
    await expect(prepare(long, { bytesMax: 50_000 })).rejects.toThrow('cut it shorter')
    const { id: paper } = await upload(makePdf({ pages: 9 }))
    await expect(prepare(paper, { pagesMax: 5 })).rejects.toThrow('9 pages')
  }, 40_000)

  test('shortens or drops alt text', async () => {
    const { id } = await upload(await makePng({ width: 81 }))
    await ask('PATCH', `/media/${id}`, { body: { alt: 'A long sentence' } })
    expect(await prepare(id, {}, { isTaken: true, max: 7 })).toMatchObject({
      media: { alt: 'A long…' },
      changes: ['The alt text was cut to 7 characters.'],
    })
    expect(await prepare(id, {}, { isTaken: false, max: null })).toMatchObject({ media: { alt: '' } })
    expect(await prepare(id, {}, { isTaken: true, max: null })).toMatchObject({ media: { alt: 'A long sentence' }, changes: [] })
  })

  test('guarantee: a picture that has to be converted keeps its alt text, within the same limit', async () => {
    const { id } = await upload(await makePng({ width: 83 }))
    await ask('PATCH', `/media/${id}`, { body: { alt: 'A long sentence' } })
    const jpeg = { mimeTypes: ['image/jpeg'] }
    const whole = await prepare(id, jpeg, { isTaken: true, max: null })
    expect(whole.media).toMatchObject({ mimeType: 'image/jpeg', alt: 'A long sentence' })
    expect((await prepare(id, jpeg, { isTaken: true, max: 7 })).media.alt).toBe('A long…')
    expect((await prepare(id, jpeg, { isTaken: false, max: null })).media.alt).toBe('')
  })
})

/** Guarantee: files that a crash left in the storage are removed. */
test('the sweep removes files that no row refers to', async () => {
  const { storage } = ctx
  const key = `${tenant.workspaceId}/media/${newId(0)}/original`
  const { insertRemovals } = await import('./removal.store.ts')
  const { Readable } = await import('node:stream')
  await insertRemovals(ctx.db.system, { workspaceId: tenant.workspaceId, keys: [key] }, new Date(Date.now() - 1))
  await storage.put(key, Readable.from([Buffer.from('x')]), { mimeType: 'image/png' })
  await sweepStorage(ctx)
  expect(await storage.head(key)).toBe(null)
})
