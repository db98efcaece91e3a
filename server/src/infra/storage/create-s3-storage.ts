import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline as connectStreams, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CompletedPart, PutObjectCommandInput, PutObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config.ts'
import { newUuid } from '../db/ids.ts'
import { problem } from '../problem/problem.ts'
import { createStreamGc } from './create-stream-gc.ts'
import {
  type FileFacts,
  FileMissing,
  InvalidParts,
  type Part,
  type PartStorage,
  type Storage,
  contentDisposition,
  openReadStream,
} from './storage.ts'

/** Two parts of this size are in memory during the upload of a stream. */
const partBytes = 8 * 1024 * 1024
const deleteBatchSize = 1000
/** The largest file that S3 accepts in one request. */
const singlePutBytesMax = 5 * 1024 ** 3

type BuildMiddleware<In extends object, Out extends object> = (
  next: (args: { input: In; request: unknown }) => Promise<{ output: Out; response: unknown }>,
) => (args: { input: In; request: unknown }) => Promise<{ output: Out; response: unknown }>

type LoadedSdk = Awaited<ReturnType<typeof load>>

/** What has been read of a body is freed while the rest is read. */
function freeing(body: Readable): Readable {
  const countBytes = createStreamGc()
  const counted = new Transform({
    transform(bytes: Buffer, _, done) {
      countBytes(bytes.length)
      done(null, bytes)
    },
  })
  // An error of either side ends the other one.
  return connectStreams(body, counted, () => {})
}

/** Stores files in any S3-compatible store. */
export function createS3Storage(config: S3Config, dir: string): Storage {
  const { bucket: Bucket } = config
  const spoolDir = join(dir, '.spool')
  let loading: Promise<LoadedSdk> | null = null
  // The SDK needs 35 MB of memory and half a second to load, so it is loaded at the first use.
  const open = () => (loading ??= load(config))

  const put = async (key: string, body: Readable, { mimeType }: FileFacts) => {
    const { client, Upload } = await open()
    const params = { Bucket, Key: key, Body: body, ContentType: mimeType }
    await callStore(new Upload({ client, params, partSize: partBytes, queueSize: 2 }).done())
  }
  const get: Storage['get'] = async (key, range) => {
    const { client, sdk } = await open()
    const Range = range && `bytes=${range.start}-${range.end}`
    const { Body } = await callStore(
      client.send(new sdk.GetObjectCommand({ Bucket, Key: key, Range })),
      () => new FileMissing(key),
    )
    if (!(Body instanceof Readable)) throw new Error(`${key} has no body`)
    return freeing(Body)
  }
  return {
    spoolDir,
    put,
    async putFile(key, path, facts) {
      const { size } = await stat(path)
      if (size > singlePutBytesMax) return put(key, openReadStream(path), facts)
      const { client, sdk } = await open()
      const send = () => {
        const params = { Bucket, Key: key, Body: openReadStream(path), ContentLength: size, ContentType: facts.mimeType }
        const command = new sdk.PutObjectCommand(params)
        // Otherwise, for a store without TLS, the SDK reads the whole file twice: once for the signature and once to send it.
        command.middlewareStack.add(unsigned, { step: 'build', name: 'unsignedPayload', priority: 'low' })
        return client.send(command)
      }
      // The SDK cannot retry a request with a stream, so we retry once and read the file again.
      await callStore(send().catch(send))
    },
    get,
    async head(key) {
      const { client, sdk } = await open()
      const answer = await callStore(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })), () => null)
      return answer && { sizeBytes: answer.ContentLength ?? 0 }
    },
    async withFile(key, work) {
      await mkdir(spoolDir, { recursive: true })
      const path = join(spoolDir, newUuid())
      try {
        await pipeline(await get(key), createWriteStream(path))
        return await work(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    async delete(keys) {
      const { client, sdk } = await open()
      for (let at = 0; at < keys.length; at += deleteBatchSize) {
        const Objects = keys.slice(at, at + deleteBatchSize).map((Key) => ({ Key }))
        const { Errors = [] } = await callStore(
          client.send(new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
        )
        if (Errors[0]) throw problem('unavailable', { cause: new Error(`${Errors[0].Key}: ${Errors[0].Message}`) })
      }
    },
    async signGet(key, view) {
      const { signing, sdk, getSignedUrl } = await open()
      const command = new sdk.GetObjectCommand({
        Bucket,
        Key: key,
        ResponseContentType: view.mimeType,
        ResponseContentDisposition: contentDisposition(view),
      })
      return getSignedUrl(signing, command, { expiresIn: view.expiresInSeconds })
    },
    parts: createParts(Bucket, open),
  }
}

function createParts(Bucket: string, open: () => Promise<LoadedSdk>): PartStorage {
  return {
    async create(Key, { mimeType }) {
      const { client, sdk } = await open()
      const command = new sdk.CreateMultipartUploadCommand({ Bucket, Key, ContentType: mimeType })
      const { UploadId } = await callStore(client.send(command))
      if (!UploadId) throw new Error('the S3 store returned no upload id')
      return UploadId
    },
    async sign(Key, { uploadId: UploadId, partNumber: PartNumber, sizeBytes, expiresInSeconds }) {
      const { signing, sdk, getSignedUrl } = await open()
      // The length is part of the signature, so the store refuses a part of another size.
      const command = new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ContentLength: sizeBytes })
      return getSignedUrl(signing, command, { expiresIn: expiresInSeconds })
    },
    async list(Key, UploadId) {
      const { client, sdk } = await open()
      const parts: Part[] = []
      let marker: string | undefined
      do {
        const command = new sdk.ListPartsCommand({
          Bucket,
          Key,
          UploadId,
          ...(marker !== undefined && { PartNumberMarker: marker }),
        })
        const answer = await callStore(client.send(command), () => null)
        for (const { PartNumber, ETag } of answer?.Parts ?? [])
          if (PartNumber !== undefined && ETag !== undefined) parts.push({ partNumber: PartNumber, etag: ETag })
        marker = answer?.IsTruncated ? answer.NextPartNumberMarker : undefined
      } while (marker !== undefined)
      return parts
    },
    async complete(Key, UploadId, parts) {
      const { client, sdk } = await open()
      const Parts: CompletedPart[] = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }))
      const command = new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } })
      try {
        await client.send(command)
      } catch (error) {
        if (isInvalidParts(error)) throw new InvalidParts(error.message, { cause: error })
        throw problem('unavailable', { cause: error })
      }
    },
    async abort(Key, UploadId) {
      const { client, sdk } = await open()
      await callStore(client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })), () => null)
    },
  }
}

async function load({ endpoint, publicEndpoint, region, accessKey, secretKey, pathStyle }: S3Config) {
  const [sdk, { getSignedUrl }, { Upload }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
    import('@aws-sdk/lib-storage'),
  ])
  const connect = (address: string | null): S3Client =>
    new sdk.S3Client({
      ...(address && { endpoint: address }),
      region,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      forcePathStyle: pathStyle,
      // Otherwise a presigned URL requires a checksum, which the uploading client does not know.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5000, socketTimeout: 60_000 },
    })
  const client = connect(endpoint)
  return { sdk, getSignedUrl, Upload, client, signing: publicEndpoint ? connect(publicEndpoint) : client }
}

const unsigned: BuildMiddleware<PutObjectCommandInput, PutObjectCommandOutput> = (next) => (args) => {
  const { headers } = args.request as { headers: Record<string, string> }
  headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
  return next(args)
}

/**
 * Waits for the answer of the store. `missing` decides what a missing object means: it returns a value or an error to throw. Any other
 * failure may be temporary and becomes `unavailable`.
 */
async function callStore<T, M = never>(answer: Promise<T>, missing?: () => M): Promise<T | Exclude<M, Error>> {
  try {
    return await answer
  } catch (error) {
    if (!missing || !isMissing(error)) throw problem('unavailable', { cause: error })
    const replacement = missing()
    if (replacement instanceof Error) throw replacement
    return replacement as Exclude<M, Error>
  }
}

const missingNames = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])
const invalidPartNames = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'NoSuchUpload', 'MalformedXML'])

function isMissing(error: unknown): boolean {
  return error instanceof Error && missingNames.has(error.name)
}

function isInvalidParts(error: unknown): error is Error {
  return error instanceof Error && invalidPartNames.has(error.name)
}
