import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bucketUrl, listKeys, listOpenUploads } from '../support/bucket.ts'
import { call, callData } from '../support/call.ts'
import { fileOf, formOf, makeLargePng, makePng } from '../support/files.ts'
import { uploadMedia, type MediaItem } from '../support/posts.ts'
import { startSecondServer, type SecondServer } from '../support/second-server.ts'
import { testStack, uniqueText } from '../test-stack.ts'

const folderOf = (id: string, workspaceId = testStack.workspaceId) => `${workspaceId}/media/${id}/`
const statusOf = async (url: URL | string, init?: RequestInit) => (await fetch(url, init)).status
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Guarantee: a file can only be read with its signed URL, which allows nothing else and expires. */
describe('the signed URL of a file', () => {
  const picture = makePng(3)
  let item: MediaItem
  beforeAll(async () => {
    item = await uploadMedia(picture, 'bells.png')
  })

  test('points to the store and supports ranges', async () => {
    expect(item.url).toContain(`${bucketUrl}/${folderOf(item.id)}original?`)
    const part = await fetch(item.url, { headers: { range: 'bytes=10-29' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-29/${picture.length}`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(picture.slice(10, 30))
    const end = await fetch(item.url, { headers: { range: 'bytes=-5' } })
    expect(new Uint8Array(await end.arrayBuffer())).toEqual(picture.slice(-5))
    expect(await statusOf(item.url, { headers: { range: `bytes=${picture.length}-` } })).toBe(416)
  })

  test('sets the type and the disposition of the answer', async () => {
    const { headers } = await fetch(item.url)
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('content-disposition')).toMatch(/^inline; filename="bells.png"/)
  })

  test('cannot be altered', async () => {
    const signed = new URL(item.url)
    expect(signed.searchParams.get('X-Amz-Expires')).toBe('3600')
    const changes = {
      'X-Amz-Expires': '86400',
      'X-Amz-Date': '20301231T000000Z',
      'response-content-type': 'text/html',
      'X-Amz-Signature': 'f'.repeat(64),
    }
    for (const [name, value] of Object.entries(changes)) {
      const altered = new URL(signed)
      altered.searchParams.set(name, value)
      expect([name, await statusOf(altered)]).toEqual([name, 403])
    }
    const other = new URL(signed)
    other.pathname = other.pathname.replace('/original', '/thumbnail')
    expect(await statusOf(other)).toBe(403)
    for (const method of ['PUT', 'DELETE']) expect([method, await statusOf(signed, { method })]).toEqual([method, 403])
    expect(await statusOf(item.url)).toBe(200)
  })

  test('is the only access: the bucket cannot be read or listed without a signature', async () => {
    for (const address of [item.url.split('?')[0] ?? '', bucketUrl, `${bucketUrl}?list-type=2&prefix=${testStack.workspaceId}`])
      expect([address, await statusOf(address)]).toEqual([address, 403])
    expect(await statusOf(`${bucketUrl}/${folderOf(item.id)}mine`, { method: 'PUT', body: 'x' })).toBe(403)
  })
})

describe('a signed URL that is valid for two seconds', () => {
  let server: SecondServer
  beforeAll(async () => {
    server = await startSecondServer({ CARILLON_MEDIA_URL_SECONDS: '2' })
  }, 60_000)
  afterAll(() => server.stop())

  test('works, and is rejected after its time', async () => {
    const { id } = await uploadMedia(makePng(5), 'brief.png')
    const item = await callData<MediaItem>(`GET /media/${id}`, { baseUrl: server.baseUrl })
    const addresses = [item.url, String(item['thumbnailUrl'])]
    expect(await Promise.all(addresses.map((url) => statusOf(url)))).toEqual([200, 200])
    await sleep(3000)
    expect(await Promise.all(addresses.map((url) => statusOf(url)))).toEqual([403, 403])
    expect(await statusOf((await callData<MediaItem>(`GET /media/${id}`)).url)).toBe(200)
  })
})

describe('a large file in parts', () => {
  type Upload = { id: string; partSizeBytes: number; parts: { partNumber: number; url: string }[] }
  type Part = { partNumber: number; etag: string }
  const bytes = makeLargePng()
  const start = () => callData<Upload>('POST /media/uploads', { body: { name: 'noise.png', sizeBytes: bytes.length } })

  const bytesOf = ({ partSizeBytes }: Upload, partNumber: number) =>
    bytes.slice((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes)

  async function sendPart(upload: Upload, partNumber: number): Promise<Part> {
    const { parts } = upload
    const body = bytesOf(upload, partNumber)
    const response = await fetch(parts[partNumber - 1]?.url ?? '', { method: 'PUT', body })
    expect([partNumber, response.status]).toEqual([partNumber, 200])
    return { partNumber, etag: response.headers.get('etag') ?? '' }
  }

  test('goes directly to the store, in any order, and can be read back unchanged', async () => {
    const started = await start()
    expect(started.parts.length).toBeGreaterThanOrEqual(3)
    for (const { url } of started.parts) expect(url).toContain(`${bucketUrl}/${folderOf(started.id)}original?`)
    expect(await listOpenUploads(folderOf(started.id))).toHaveLength(1)
    const numbers = started.parts.map(({ partNumber }) => partNumber).toReversed()
    const parts = (await Promise.all(numbers.map((number) => sendPart(started, number)))).toReversed()

    const complete = (list: Part[]) => call<MediaItem>(`POST /media/uploads/${started.id}/complete`, { body: { parts: list } })
    const wrong = parts.map((part, n) => (n === 1 ? { ...part, etag: '"0123456789abcdef0123456789abcdef"' } : part))
    expect((await complete(wrong)).status).toBe(422)
    const made = await complete(parts)
    expect(made.data).toMatchObject({ id: started.id, type: 'image', width: 2500, sizeBytes: bytes.length })
    const stored = await fetch(made.data.url)
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(bytes))
    expect(await listOpenUploads(folderOf(started.id))).toEqual([])
  }, 60_000)

  test('that is aborted leaves nothing in the store', async () => {
    const started = await start()
    await sendPart(started, 1)
    expect(await listOpenUploads(folderOf(started.id))).toHaveLength(1)
    expect((await call(`DELETE /media/uploads/${started.id}`)).status).toBe(200)
    expect(await listOpenUploads(folderOf(started.id))).toEqual([])
    expect(await statusOf(started.parts[1]?.url ?? '', { method: 'PUT', body: bytesOf(started, 2) })).toBe(404)
  })

  test('cannot be larger than what was agreed: the store refuses such a part', async () => {
    const started = await start()
    const [first] = started.parts
    const tooLarge = new Uint8Array(started.partSizeBytes + 1)
    expect(await statusOf(first?.url ?? '', { method: 'PUT', body: tooLarge })).toBe(403)
    expect((await call(`DELETE /media/uploads/${started.id}`)).status).toBe(200)
  })
})

/** Guarantee: what is deleted is also removed from the store. */
describe('deleting', () => {
  test('an item also deletes its file and thumbnail', async () => {
    const { id, url } = await uploadMedia(makePng(6), 'gone.png')
    expect(await listKeys(folderOf(id))).toEqual([`${folderOf(id)}original`, `${folderOf(id)}thumbnail`])
    expect((await call(`DELETE /media/${id}`)).status).toBe(200)
    await expect.poll(() => listKeys(folderOf(id))).toEqual([])
    expect(await statusOf(url)).toBe(404)
  })

  test('a workspace also deletes all of its files', async () => {
    const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: uniqueText('Brief') } })
    const form = formOf(['file', fileOf(makePng(7), 'all.png')])
    const { id } = await callData<MediaItem>('POST /media/upload', { workspace, form })
    expect(await listKeys(`${workspace}/`)).toContain(`${folderOf(id, workspace)}original`)
    expect((await call(`DELETE /workspaces/${workspace}`)).status).toBe(200)
    await expect.poll(() => listKeys(`${workspace}/`), { timeout: 10_000 }).toEqual([])
  })
})
