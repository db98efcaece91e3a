import { describe, expect, test } from 'vitest'
import { createCarillon } from './create-carillon.ts'
import { startFileStore, type FileStore } from './start-file-store.fixture.ts'
import { closeConnection, errorReply, type Reply } from './start-server.fixture.ts'
import type { UploadCheckpoint, UploadProgress } from './upload-options.ts'

/** Guarantee: a file arrives complete, a failed part is sent again, a part that has arrived is not, and progress is reported. */
const file = new File(['aaaaaaaaaabbbbbbbbbbccccc'], 'tower.txt', { type: 'text/plain' })
const inParts = { partsFromBytes: 1 }
const storeBusy: Reply = (response) => void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
const storeDenied: Reply = (response) => void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
const noReply: Reply = () => {}

function mediaOf({ baseUrl }: FileStore) {
  return createCarillon({ baseUrl, apiKey: 'sk_test', workspaceId: 'w1', retryDelayMs: 5 }).media
}

function completeUploadBody({ requests }: FileStore): unknown {
  const [request] = requests.filter(({ url }) => url.endsWith('/complete'))
  return request && JSON.parse(request.body)
}

const allParts = [1, 2, 3].map((partNumber) => ({ partNumber, etag: `"etag-${partNumber}"` }))

describe('in parts', () => {
  test('each part is sent to its URL, and the ETags complete the upload in order', async () => {
    await using store = await startFileStore(10, 3)
    expect(await mediaOf(store).uploadFile(file, inParts)).toEqual({ id: 'u1' })
    expect(JSON.parse(store.requests[0]?.body ?? '')).toEqual({ name: 'tower.txt', sizeBytes: 25 })
    expect([1, 2, 3].map((n) => store.puts(n).map(({ body }) => body))).toEqual([['aaaaaaaaaa'], ['bbbbbbbbbb'], ['ccccc']])
    expect(completeUploadBody(store)).toEqual({ parts: allParts })
  })

  test('a part is sent with its length but without API headers: the signed URL is the authentication', async () => {
    await using store = await startFileStore(10, 3)
    await mediaOf(store).uploadFile(file, inParts)
    const [put] = store.puts(3)
    expect(put?.headers['content-length']).toBe('5')
    for (const name of ['authorization', 'x-workspace-id', 'idempotency-key']) expect(put?.headers[name]).toBeUndefined()
  })

  test('progress rises from zero to the size of the file', async () => {
    await using store = await startFileStore(10, 3)
    const reports: UploadProgress[] = []
    await mediaOf(store).uploadFile(file, { ...inParts, partsAtOnce: 1, onProgress: (progress) => reports.push(progress) })
    expect(reports.map(({ sentBytes, totalBytes }) => [sentBytes, totalBytes])).toEqual([0, 10, 20, 25].map((sent) => [sent, 25]))
  })

  test.each([
    ['a lost response', closeConnection],
    ['a busy store', storeBusy],
    ['a temporary error of Carillon', errorReply(503, 'unavailable', { 'retry-after': '0' })],
  ])('%s: only that part is sent again', async (_name, fault) => {
    await using store = await startFileStore(10, 3, { 2: [fault, fault] })
    expect(await mediaOf(store).uploadFile(file, inParts)).toEqual({ id: 'u1' })
    expect([1, 2, 3].map((n) => store.puts(n).length)).toEqual([1, 3, 1])
    expect(new Set(store.puts(2).map(({ body }) => body))).toEqual(new Set(['bbbbbbbbbb']))
  })

  test.each([
    ['refused by the store', storeDenied, { code: 'store_refused', status: 403, retryable: false }],
    ['refused by Carillon', errorReply(404, 'upload_not_found'), { code: 'upload_not_found', status: 404 }],
    ['no ETag', ((response) => void response.writeHead(200).end()) satisfies Reply, { code: 'store_refused', status: 200 }],
  ])('an error without a retry is thrown at once and aborts the other parts: %s', async (_name, fault, error) => {
    await using store = await startFileStore(10, 3, { 1: [noReply], 2: [fault] })
    await expect(mediaOf(store).uploadFile(file, { ...inParts, partsAtOnce: 2 })).rejects.toMatchObject(error)
    expect(store.puts(2)).toHaveLength(1)
    expect(completeUploadBody(store)).toBeUndefined()
  })

  test('an interrupted upload is resumed from a checkpoint stored as JSON', async () => {
    await using store = await startFileStore(10, 3, { 2: [storeDenied] })
    let storedCheckpoint = ''
    const onProgress = ({ checkpoint }: UploadProgress) => void (storedCheckpoint = JSON.stringify(checkpoint))
    await expect(mediaOf(store).uploadFile(file, { ...inParts, partsAtOnce: 1, onProgress })).rejects.toThrow('part 2')
    const resumeFrom: UploadCheckpoint = JSON.parse(storedCheckpoint)
    expect(await mediaOf(store).uploadFile(file, { resumeFrom })).toEqual({ id: 'u1' })
    expect([1, 2, 3].map((n) => store.puts(n).length)).toEqual([1, 2, 1])
    expect(completeUploadBody(store)).toEqual({ parts: allParts })
  })

  test('resuming with a file of another size is refused', async () => {
    await using store = await startFileStore(10, 3)
    const upload = { id: 'u1', partSizeBytes: 10, parts: [{ partNumber: 1, url: 'http://127.0.0.1:9/' }], expiresAt: '' }
    await expect(mediaOf(store).uploadFile(file, { resumeFrom: { upload, parts: [] } })).rejects.toThrow('not the file')
    expect(store.requests).toEqual([])
  })

  test('stops at once when the caller aborts', async () => {
    await using store = await startFileStore(10, 3, { 1: [noReply], 2: [noReply], 3: [noReply] })
    const signal = AbortSignal.timeout(50)
    await expect(mediaOf(store).uploadFile(file, { ...inParts, signal })).rejects.toThrow('timeout')
    expect(completeUploadBody(store)).toBeUndefined()
  })
})

test('a small file is sent in one request, with progress reports', async () => {
  await using store = await startFileStore(10, 3)
  const sent: number[] = []
  const options = { name: 'bells.txt', onProgress: ({ sentBytes }: UploadProgress) => sent.push(sentBytes) }
  expect(await mediaOf(store).uploadFile(new Blob(['ding']), options)).toEqual({ id: 'whole' })
  expect(store.requests.map(({ url }) => url)).toEqual(['/api/media/upload'])
  expect(store.requests[0]?.body).toContain('filename="bells.txt"')
  expect(sent).toEqual([0, 4])
})
