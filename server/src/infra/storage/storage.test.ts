import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { fileRoutes } from '../../features/media/download/file.routes.ts'
import { createSigner } from './create-signer.ts'
import { answerError } from '../http/answer-error.ts'
import { newId } from '../db/ids.ts'
import { parseSecretKeys } from '../sealing/seal.ts'
import { createFolderStorage } from './create-folder-storage.ts'
import { createS3Storage } from './create-s3-storage.ts'
import { FileMissing, InvalidParts, type Storage } from './storage.ts'

type OpenedStorage = { storage: Storage; close(): Promise<void> }

/** Guarantee: every store behaves the same, so no other code needs to know which one is used. */
function testStorage(open: () => Promise<OpenedStorage>): void {
  const workspace = newId(Date.now())
  const mimeType = 'image/png'
  let storage: Storage
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ storage, close } = await open())
  }, 60_000)
  afterAll(() => close())

  const key = (name: string) => `${workspace}/media/${newId(Date.now())}/${name}`
  const view = { expiresInSeconds: 60, mimeType, fileName: 'sea "1" ü.png', isAttachment: false }

  test('returns the stored bytes, all of them or a range', async () => {
    // Larger than one part of a streamed upload.
    const bytes = randomBytes(9_000_000)
    const at = key('original')
    await storage.put(at, Readable.from([bytes.subarray(0, 5_000_000), bytes.subarray(5_000_000)]), { mimeType })
    expect(await storage.head(at)).toEqual({ sizeBytes: bytes.length })
    expect((await buffer(await storage.get(at))).equals(bytes)).toBe(true)
    expect((await buffer(await storage.get(at, { start: 100, end: 199 }))).equals(bytes.subarray(100, 200))).toBe(true)
    await storage.withFile(at, async (path) => expect((await readFile(path)).equals(bytes)).toBe(true))
  })

  test('replaces a file with a local one', async () => {
    const at = key('original')
    const path = join(tmpdir(), newId(Date.now()))
    await storage.put(at, Readable.from([Buffer.from('old')]), { mimeType })
    await writeFile(path, 'new bytes')
    await storage.putFile(at, path, { mimeType })
    expect(String(await buffer(await storage.get(at)))).toBe('new bytes')
    await rm(path, { force: true })
  })

  test('reports missing files', async () => {
    const at = key('original')
    expect(await storage.head(at)).toBe(null)
    await expect(storage.get(at)).rejects.toThrow(FileMissing)
    await expect(storage.withFile(at, () => Promise.resolve())).rejects.toThrow(FileMissing)
    await storage.delete([at])
  })

  test('a signed URL returns one file until it expires', async () => {
    const at = key('original')
    await storage.put(at, Readable.from([Buffer.from('hello')]), { mimeType })
    const url = await storage.signGet(at, view)
    const got = await fetch(url)
    expect([got.status, got.headers.get('content-type'), await got.text()]).toEqual([200, mimeType, 'hello'])
    expect(got.headers.get('content-disposition')).toContain(`filename*=UTF-8''sea%20%221%22%20%C3%BC.png`)
    expect((await fetch(url, { headers: { range: 'bytes=1-2' } })).status).toBe(206)
    const refused = [
      url.replace(/signature=..../i, 'signature=0000'),
      url.replace('/original', '/thumbnail'),
      url.split('?')[0] ?? '',
    ]
    for (const address of refused) expect((await fetch(address)).status).toBe(403)
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403)
    const short = await storage.signGet(at, { ...view, expiresInSeconds: 1 })
    await expect.poll(async () => (await fetch(short)).status, { timeout: 5000, interval: 300 }).toBe(403)
  })

  test('joins the parts that a client uploaded', async () => {
    const at = key('original')
    const bytes = randomBytes(5 * 1024 * 1024 + 1000)
    const uploadId = await storage.parts.create(at, { mimeType })
    const send = async (partNumber: number, body: Buffer) => {
      const url = await storage.parts.sign(at, { uploadId, partNumber, sizeBytes: body.length, expiresInSeconds: 60 })
      const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(body) })
      expect(answer.status).toBe(200)
      return { partNumber, etag: answer.headers.get('etag') ?? '' }
    }
    expect(await storage.parts.list(at, uploadId)).toEqual([])
    const parts = [await send(1, bytes.subarray(0, 5 * 1024 * 1024)), await send(2, bytes.subarray(5 * 1024 * 1024))]
    expect(await storage.parts.list(at, uploadId)).toEqual(parts)
    const wrong = { partNumber: 2, etag: `"${createHash('md5').update('x').digest('hex')}"` }
    await expect(storage.parts.complete(at, uploadId, [...parts.slice(0, 1), wrong])).rejects.toThrow(InvalidParts)
    await storage.parts.complete(at, uploadId, parts)
    expect((await buffer(await storage.get(at))).equals(bytes)).toBe(true)
  })

  test('refuses a part that is larger than agreed', async () => {
    const at = key('original')
    const uploadId = await storage.parts.create(at, { mimeType })
    const url = await storage.parts.sign(at, { uploadId, partNumber: 1, sizeBytes: 1000, expiresInSeconds: 60 })
    const send = async (sizeBytes: number) => (await fetch(url, { method: 'PUT', body: new Uint8Array(sizeBytes) })).status
    expect([403, 413]).toContain(await send(1001))
    expect(await storage.parts.list(at, uploadId)).toEqual([])
    expect(await send(1000)).toBe(200)
    await storage.parts.abort(at, uploadId)
  })

  test('aborts an upload', async () => {
    const at = key('original')
    const uploadId = await storage.parts.create(at, { mimeType })
    await storage.parts.abort(at, uploadId)
    await storage.parts.abort(at, uploadId)
    const url = await storage.parts.sign(at, { uploadId, partNumber: 1, sizeBytes: 1, expiresInSeconds: 60 })
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(404)
    expect([await storage.head(at), await storage.parts.list(at, uploadId)]).toEqual([null, []])
  })
}

describe('a folder', () => {
  testStorage(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'carillon-storage-'))
    const secretKeys = parseSecretKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
    const app = Fastify()
    app.setErrorHandler(answerError)
    const ctx = { nowMs: Date.now, config: { secretKeys, media: { dir, s3: null } as Config['media'] } } as Context
    fileRoutes(app, ctx)
    const filesUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    const storage = createFolderStorage({ dir, filesUrl, signer: createSigner(secretKeys) })
    Object.assign(ctx, { storage })
    return {
      storage,
      async close() {
        await app.close()
        await rm(dir, { recursive: true, force: true })
      },
    }
  })
})

const endpoint = process.env['CARILLON_TEST_S3_ENDPOINT']
describe.skipIf(!endpoint)('S3 (set CARILLON_TEST_S3_ENDPOINT, _BUCKET, _ACCESS_KEY and _SECRET_KEY)', () => {
  testStorage(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'carillon-storage-'))
    const storage = createS3Storage(
      {
        endpoint: endpoint ?? null,
        publicEndpoint: null,
        region: process.env['CARILLON_TEST_S3_REGION'] ?? 'us-east-1',
        bucket: process.env['CARILLON_TEST_S3_BUCKET'] ?? 'carillon-test',
        accessKey: process.env['CARILLON_TEST_S3_ACCESS_KEY'] ?? '',
        secretKey: process.env['CARILLON_TEST_S3_SECRET_KEY'] ?? '',
        pathStyle: true,
      },
      dir,
    )
    return { storage, close: () => rm(dir, { recursive: true, force: true }) }
  })
})
