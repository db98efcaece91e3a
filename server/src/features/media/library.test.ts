import { createServer, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Media, MediaUpload, PendingUpload, ResumableUpload } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostApi } from '../posts/post-api.fixture.ts'
import { fileRoutes } from './download/file.routes.ts'
import { makePng } from './files.fixture.ts'

type Page = { results: Media[]; total: number; nextCursor: string | null }

let api: PostApi
let dir: string
let host: Server
let hostUrl: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-library-'))
  const png = await makePng()
  host = createServer((request, response) => {
    if (request.url === '/bell.png') response.end(png)
    else if (request.url === '/bell.html') response.end('<html>no picture</html>')
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => host.once('listening', done))
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  api = await PostApi.start(dir, { root: [fileRoutes], env: { CARILLON_EGRESS_ALLOW: '127.0.0.1' } })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  host.close()
  host.closeAllConnections()
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const list = async (query = '') => (await api.send<Page>('GET', `/media?${query}`)).data
const idsOf = ({ results }: Page) => results.map(({ id }) => id)

async function rename(id: string, name: string, sizeBytes: number): Promise<void> {
  await api.ctx.db.system.updateTable('media').where('id', '=', id).set({ name, size_bytes: sizeBytes }).execute()
}

describe('the library', () => {
  test('can be sorted by name and size, also page by page', async () => {
    const [a, b, c] = [await api.uploadPhoto(), await api.uploadPhoto(), await api.uploadPhoto()]
    await rename(a, 'Zebra.png', 10)
    await rename(b, 'apple.png', 30)
    await rename(c, 'Bell.png', 20)
    const orders = { createdAt: [c, b, a], name: [b, c, a], sizeBytes: [b, c, a] }
    for (const [sort, order] of Object.entries(orders)) {
      expect([sort, idsOf(await list(`sort=${sort}`))]).toEqual([sort, order])
      const seen: string[] = []
      for (let cursor: string | null = '0'; cursor;) {
        const page: Page = await list(`sort=${sort}&limit=1${cursor === '0' ? '' : `&cursor=${cursor}`}`)
        seen.push(...idsOf(page))
        cursor = page.nextCursor
      }
      expect([sort, seen]).toEqual([sort, order])
    }
  })

  test('shows the images without an alt text', async () => {
    const [described, bare] = [await api.uploadPhoto(), await api.uploadPhoto()]
    await api.send('PATCH', `/media/${described}`, { alt: 'A bell' })
    expect([idsOf(await list('withoutAlt=true')), (await list('withoutAlt=true')).total]).toEqual([[bare], 1])
    expect(idsOf(await list('withoutAlt=false'))).toEqual([described])
    expect(idsOf(await list('withoutAlt=true&type=video'))).toEqual([])
  })

  test('shows what no post uses, and counts tags', async () => {
    const [used, free] = [await api.uploadPhoto(), await api.uploadPhoto()]
    await api.create({ medias: [used] })
    await api.send('PATCH', `/media/${used}`, { tags: ['tower', 'autumn'] })
    await api.send('PATCH', `/media/${free}`, { tags: ['tower'] })
    expect([idsOf(await list('unused=true')), (await list('unused=true')).total]).toEqual([[free], 1])
    expect(idsOf(await list('unused=false'))).toEqual([used])
    const tags = async () => (await api.send('GET', '/media/tags')).data
    expect(await tags()).toEqual([
      { tag: 'tower', count: 2 },
      { tag: 'autumn', count: 1 },
    ])
    await api.openWorkspace()
    expect(await tags()).toEqual([])
  })

  test('takes a file from an address', async () => {
    const fetched = await api.send<Media>('POST', '/media/fetch', { url: `${hostUrl}/bell.png` })
    expect([fetched.status, fetched.data]).toEqual([201, expect.objectContaining({ name: 'bell.png', mimeType: 'image/png' })])
    expect(idsOf(await list())).toEqual([fetched.data.id])
  })

  test.each([
    ['/missing.png', 'media_not_fetched'],
    ['/bell.html', 'media_type_refused'],
  ])('refuses %s', async (path, code) => {
    expect((await api.send('POST', '/media/fetch', { url: hostUrl + path })).error?.code).toBe(code)
    expect(idsOf(await list())).toEqual([])
  })

  test('guarantee: fetches nothing from an internal address', async () => {
    const reply = await api.send('POST', '/media/fetch', { url: 'http://127.0.0.2/bell.png' })
    expect([reply.status, reply.error?.code]).toEqual([422, 'url_refused'])
  })
})

describe('an upload in parts', () => {
  test('can be continued by any client that may upload', async () => {
    const bytes = await makePng()
    const { data: started } = await api.send<MediaUpload>('POST', '/media/uploads', {
      name: 'tower.png',
      sizeBytes: bytes.length,
    })
    const uploads = async () => (await api.send<PendingUpload[]>('GET', '/media/uploads')).data
    const resume = () => api.send<ResumableUpload>('GET', `/media/uploads/${started.id}`)
    expect(await uploads()).toMatchObject([{ id: started.id, name: 'tower.png', sizeBytes: bytes.length }])

    const open = (await resume()).data
    expect(open).toMatchObject({ id: started.id, partSizeBytes: started.partSizeBytes, expiresAt: started.expiresAt })
    expect(open.parts.map(({ partNumber, etag }) => [partNumber, etag])).toEqual([[1, null]])
    const { pathname, search } = new URL(open.parts[0]?.url ?? '')
    const sent = await api.server.app.inject({ method: 'PUT', url: pathname + search, payload: bytes })
    expect(sent.statusCode).toBe(200)

    const [part] = (await resume()).data.parts
    expect(part?.etag).toBe(sent.headers['etag'])
    const body = { parts: [{ partNumber: 1, etag: part?.etag }] }
    expect((await api.send<Media>('POST', `/media/uploads/${started.id}/complete`, body)).data.id).toBe(started.id)
    expect([await uploads(), (await resume()).error?.code]).toEqual([[], 'upload_not_found'])
  })

  test('has parts of one size, and a last one with what is left', async () => {
    const megabyte = 1024 * 1024
    const body = { name: 'tower.mp4', sizeBytes: 20 * megabyte }
    const { data: started } = await api.send<MediaUpload>('POST', '/media/uploads', body)
    const { data: resumed } = await api.send<ResumableUpload>('GET', `/media/uploads/${started.id}`)
    for (const { parts } of [started, resumed]) {
      const sizes = parts.map(({ url }) => Number(new URL(url).searchParams.get('sizeBytes')))
      expect(sizes).toEqual([8 * megabyte, 8 * megabyte, 4 * megabyte])
    }
  })

  test('guarantee: is unknown in another workspace, and after its time', async () => {
    const { data: started } = await api.send<MediaUpload>('POST', '/media/uploads', { name: 'tower.png', sizeBytes: 10 })
    const own = [api.workspaceId, api.apiKey] as const
    await api.openWorkspace()
    expect((await api.send('GET', `/media/uploads/${started.id}`)).error?.code).toBe('upload_not_found')
    expect((await api.send('GET', '/media/uploads')).data).toEqual([])
    ;[api.workspaceId, api.apiKey] = own
    await api.ctx.db.system
      .updateTable('media_upload')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()
    expect((await api.send('GET', `/media/uploads/${started.id}`)).error?.code).toBe('upload_not_found')
  })
})
