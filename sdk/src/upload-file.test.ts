import { describe, expect, test } from 'vitest'
import { createCarillon } from './create-carillon.ts'
import { startStore, type Store } from './file-store.fixture.ts'
import { hangUp, refusal, type Reply } from './server.fixture.ts'
import type { UploadCheckpoint, UploadProgress } from './upload-file.ts'

/** Guarantee: a file arrives whole, each part as often as needed and none again once it has arrived, and the caller sees how far it is. */
const file = new File(['aaaaaaaaaabbbbbbbbbbccccc'], 'tower.txt', { type: 'text/plain' })
const inParts = { partsFromBytes: 1 }
const busy: Reply = (response) => void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
const expired: Reply = (response) => void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
const silent: Reply = () => {}

function mediaOf({ baseUrl }: Store) {
  return createCarillon({ baseUrl, apiKey: 'sk_test', workspaceId: 'w1', retryDelayMs: 5 }).media
}

function completed({ seen }: Store): unknown {
  const [request] = seen.filter(({ url }) => url.endsWith('/complete'))
  return request && JSON.parse(request.body)
}

const allParts = [1, 2, 3].map((partNumber) => ({ partNumber, etag: `"etag-${partNumber}"` }))

describe('in parts', () => {
  test('each part goes to its address, and their ETags finish the upload in order', async () => {
    await using store = await startStore(10, 3)
    expect(await mediaOf(store).uploadFile(file, inParts)).toEqual({ id: 'u1' })
    expect(JSON.parse(store.seen[0]?.body ?? '')).toEqual({ name: 'tower.txt', sizeBytes: 25 })
    expect([1, 2, 3].map((n) => store.puts(n).map(({ body }) => body))).toEqual([['aaaaaaaaaa'], ['bbbbbbbbbb'], ['ccccc']])
    expect(completed(store)).toEqual({ parts: allParts })
  })

  test('a part carries its length and nothing of ours: a signed address is its own key', async () => {
    await using store = await startStore(10, 3)
    await mediaOf(store).uploadFile(file, inParts)
    const [put] = store.puts(3)
    expect(put?.headers['content-length']).toBe('5')
    for (const name of ['authorization', 'x-workspace-id', 'idempotency-key']) expect(put?.headers[name]).toBeUndefined()
  })

  test('progress rises from nothing to everything', async () => {
    await using store = await startStore(10, 3)
    const seen: UploadProgress[] = []
    await mediaOf(store).uploadFile(file, { ...inParts, partsAtOnce: 1, onProgress: (progress) => seen.push(progress) })
    expect(seen.map(({ sentBytes, totalBytes }) => [sentBytes, totalBytes])).toEqual([0, 10, 20, 25].map((sent) => [sent, 25]))
  })

  test.each([
    ['a lost answer', hangUp],
    ['a busy store', busy],
    ['a refusal of ours that passes', refusal(503, 'unavailable', { 'retry-after': '0' })],
  ])('%s: that part is sent again, and no other', async (_name, fault) => {
    await using store = await startStore(10, 3, { 2: [fault, fault] })
    expect(await mediaOf(store).uploadFile(file, inParts)).toEqual({ id: 'u1' })
    expect([1, 2, 3].map((n) => store.puts(n).length)).toEqual([1, 3, 1])
    expect(new Set(store.puts(2).map(({ body }) => body))).toEqual(new Set(['bbbbbbbbbb']))
  })

  test.each([
    ['the store', expired, { code: 'store_refused', status: 403, retryable: false }],
    ['our own', refusal(404, 'upload_not_found'), { code: 'upload_not_found', status: 404 }],
    ['no ETag', ((response) => void response.writeHead(200).end()) satisfies Reply, { code: 'store_refused', status: 200 }],
  ])('a refusal is thrown at once and ends the other parts: %s', async (_name, fault, error) => {
    await using store = await startStore(10, 3, { 1: [silent], 2: [fault] })
    await expect(mediaOf(store).uploadFile(file, { ...inParts, partsAtOnce: 2 })).rejects.toMatchObject(error)
    expect(store.puts(2)).toHaveLength(1)
    expect(completed(store)).toBeUndefined()
  })

  test('what broke off is gone on with, from a checkpoint kept as JSON', async () => {
    await using store = await startStore(10, 3, { 2: [expired] })
    let kept = ''
    const onProgress = ({ checkpoint }: UploadProgress) => void (kept = JSON.stringify(checkpoint))
    await expect(mediaOf(store).uploadFile(file, { ...inParts, partsAtOnce: 1, onProgress })).rejects.toThrow('part 2')
    const resumeFrom: UploadCheckpoint = JSON.parse(kept)
    expect(await mediaOf(store).uploadFile(file, { resumeFrom })).toEqual({ id: 'u1' })
    expect([1, 2, 3].map((n) => store.puts(n).length)).toEqual([1, 2, 1])
    expect(completed(store)).toEqual({ parts: allParts })
  })

  test('another file than the one it began with is refused', async () => {
    await using store = await startStore(10, 3)
    const upload = { id: 'u1', partSizeBytes: 10, parts: [{ partNumber: 1, url: 'http://127.0.0.1:9/' }], expiresAt: '' }
    await expect(mediaOf(store).uploadFile(file, { resumeFrom: { upload, parts: [] } })).rejects.toThrow('not the file')
    expect(store.seen).toEqual([])
  })

  test('stops at once when the caller gives up', async () => {
    await using store = await startStore(10, 3, { 1: [silent], 2: [silent], 3: [silent] })
    const signal = AbortSignal.timeout(50)
    await expect(mediaOf(store).uploadFile(file, { ...inParts, signal })).rejects.toThrow('timeout')
    expect(completed(store)).toBeUndefined()
  })
})

test('a small file goes in one piece, with progress too', async () => {
  await using store = await startStore(10, 3)
  const sent: number[] = []
  const options = { name: 'bells.txt', onProgress: ({ sentBytes }: UploadProgress) => sent.push(sentBytes) }
  expect(await mediaOf(store).uploadFile(new Blob(['ding']), options)).toEqual({ id: 'whole' })
  expect(store.seen.map(({ url }) => url)).toEqual(['/api/media/upload'])
  expect(store.seen[0]?.body).toContain('filename="bells.txt"')
  expect(sent).toEqual([0, 4])
})
