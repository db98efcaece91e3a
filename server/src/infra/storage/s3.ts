import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CompletedPart, PutObjectCommandInput, PutObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config.ts'
import { newUuid } from '../db/ids.ts'
import { problem } from '../problem/problem.ts'
import { readFlat } from './create-stream-gc.ts'
import { disposition, FileMissing, PartsUnfit, type FileFacts, type PartStorage, type Storage } from './storage.ts'

/** Two of these are held in memory while a file streams in. */
const partBytes = 8 * 1024 * 1024
const deletesAtOnce = 1000
/** What S3 takes in one piece. */
const singlePutMax = 5 * 1024 ** 3

type BuildMiddleware<In extends object, Out extends object> = (
  next: (args: { input: In; request: unknown }) => Promise<{ output: Out; response: unknown }>,
) => (args: { input: In; request: unknown }) => Promise<{ output: Out; response: unknown }>

type LoadedChannel = Awaited<ReturnType<typeof load>>

/** Any store that speaks S3. */
export function createS3Storage(config: S3Config, dir: string): Storage {
  const { bucket: Bucket } = config
  const spoolDir = join(dir, '.spool')
  let loading: Promise<LoadedChannel> | null = null
  // The SDK takes 35 MB and half a second: it is loaded by the first who needs it.
  const open = () => (loading ??= load(config))

  const put = async (key: string, body: Readable, { mimeType }: FileFacts) => {
    const { client, Upload } = await open()
    const params = { Bucket, Key: key, Body: body, ContentType: mimeType }
    await heard(new Upload({ client, params, partSize: partBytes, queueSize: 2 }).done())
  }
  const get: Storage['get'] = async (key, range) => {
    const { client, sdk } = await open()
    const Range = range && `bytes=${range.start}-${range.end}`
    const { Body } = await heard(client.send(new sdk.GetObjectCommand({ Bucket, Key: key, Range })), () => new FileMissing(key))
    if (!(Body instanceof Readable)) throw new Error(`${key} has no body`)
    return Body
  }
  return {
    spoolDir,
    put,
    async putFile(key, path, facts) {
      const { size } = await stat(path)
      if (size > singlePutMax) return put(key, readFlat(path), facts)
      const { client, sdk } = await open()
      const send = () => {
        const params = { Bucket, Key: key, Body: readFlat(path), ContentLength: size, ContentType: facts.mimeType }
        const command = new sdk.PutObjectCommand(params)
        // Otherwise a store without TLS makes the SDK read the whole file twice, once for the signature.
        command.middlewareStack.add(unsigned, { step: 'build', name: 'unsignedPayload', priority: 'low' })
        return client.send(command)
      }
      // The SDK cannot repeat a stream; a file can be read again.
      await heard(send().catch(send))
    },
    get,
    async head(key) {
      const { client, sdk } = await open()
      const answer = await heard(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })), () => null)
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
      for (let at = 0; at < keys.length; at += deletesAtOnce) {
        const Objects = keys.slice(at, at + deletesAtOnce).map((Key) => ({ Key }))
        const { Errors = [] } = await heard(
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
        ResponseContentDisposition: disposition(view),
      })
      return getSignedUrl(signing, command, { expiresIn: view.expiresInSeconds })
    },
    parts: createParts(Bucket, open),
  }
}

function createParts(Bucket: string, open: () => Promise<LoadedChannel>): PartStorage {
  return {
    async create(Key, { mimeType }) {
      const { client, sdk } = await open()
      const command = new sdk.CreateMultipartUploadCommand({ Bucket, Key, ContentType: mimeType })
      const { UploadId } = await heard(client.send(command))
      if (!UploadId) throw new Error('the store began an upload without an id')
      return UploadId
    },
    async sign(Key, { uploadId: UploadId, partNumber: PartNumber, expiresInSeconds }) {
      const { signing, sdk, getSignedUrl } = await open()
      const command = new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber })
      return getSignedUrl(signing, command, { expiresIn: expiresInSeconds })
    },
    async complete(Key, UploadId, parts) {
      const { client, sdk } = await open()
      const Parts: CompletedPart[] = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }))
      const command = new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } })
      try {
        await client.send(command)
      } catch (error) {
        if (isUnfit(error)) throw new PartsUnfit(error.message, { cause: error })
        throw problem('unavailable', { cause: error })
      }
    },
    async abort(Key, UploadId) {
      const { client, sdk } = await open()
      await heard(client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })), () => null)
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
      // Otherwise a presigned address demands a checksum that whoever uploads does not know.
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

/** Waits for the store. What is not there is the caller's to judge; anything else that goes wrong may go right later. */
async function heard<T, M = never>(answer: Promise<T>, missing?: () => M): Promise<T | Exclude<M, Error>> {
  try {
    return await answer
  } catch (error) {
    if (!missing || !isMissing(error)) throw problem('unavailable', { cause: error })
    const instead = missing()
    if (instead instanceof Error) throw instead
    return instead as Exclude<M, Error>
  }
}

const missingNames = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])
const unfitNames = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'NoSuchUpload', 'MalformedXML'])

function isMissing(error: unknown): boolean {
  return error instanceof Error && missingNames.has(error.name)
}

function isUnfit(error: unknown): error is Error {
  return error instanceof Error && unfitNames.has(error.name)
}
