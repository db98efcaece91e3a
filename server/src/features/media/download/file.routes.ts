import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { partFolder } from '../../../infra/storage/create-folder-storage.ts'
import { type Signer, createSigner } from '../../../infra/storage/create-signer.ts'
import { FileMissing, type Range, contentDisposition, isStorageKey } from '../../../infra/storage/storage.ts'
import { writePart } from '../../../infra/storage/write-part.ts'
import { partBytesMax } from '../upload/resumable-upload.ts'

/**
 * Serves the files of a storage folder under signed URLs, outside of /api: the signature is the only permission that is checked, and
 * cookies are ignored. Headers forbid content sniffing and scripts, because the files come from users.
 */
export function fileRoutes(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.media.s3) return
  const signer = createSigner(ctx.config.secretKeys)
  void app.register((files, _options, done) => {
    // The body of a part is raw bytes, whatever its content type.
    files.removeAllContentTypeParsers()
    files.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    files.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/files/*',
      handler: async (request, reply) => {
        const { key, params } = verifySignature(signer, request, ctx.nowMs())
        void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag' })
        return request.method === 'PUT'
          ? receivePart(ctx, request, reply, params)
          : sendFile(ctx, request, reply, { key, params })
      },
    })
    // Browsers send a preflight request before they upload a part to another origin.
    files.options('/files/*', (_request, reply) =>
      reply
        .status(204)
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, PUT',
          'access-control-allow-headers': '*',
          'access-control-max-age': '86400',
        })
        .send(),
    )
    done()
  })
}

type SignedParams = Record<string, string>

/**
 * The signature covers the method too: another method is refused like any other change of the URL. HEAD is GET without the body, so who may
 * get a file may ask about it: platforms that fetch a file ask for its size and type first.
 */
function verifySignature(signer: Signer, request: FastifyRequest, nowMs: number): { key: string; params: SignedParams } {
  const { pathname, searchParams: query } = new URL(request.url, 'http://files')
  const key = pathname.slice('/files/'.length)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const params = isStorageKey(key) ? signer.verify({ method, key, query, nowMs }) : null
  if (!params) throw problem('address_refused')
  return { key, params }
}

async function sendFile(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, params }: { key: string; params: SignedParams },
) {
  const found = await ctx.storage.head(key)
  if (!found) throw problem('media_not_found')
  const { sizeBytes } = found
  void reply.headers({
    'content-type': params['type'] ?? 'application/octet-stream',
    'content-disposition': contentDisposition({ fileName: params['name'] ?? 'file', isAttachment: params['as'] !== 'inline' }),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
  })
  const range = readRange(request.headers.range, sizeBytes)
  if (range === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${sizeBytes}`).send()
  if (range) void reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  void reply.header('content-length', range ? range.end - range.start + 1 : sizeBytes)
  return request.method === 'HEAD' ? reply.send() : reply.send(await openFile(ctx, key, range ?? undefined))
}

async function openFile(ctx: Context, key: string, range: { start: number; end: number } | undefined): Promise<Readable> {
  try {
    return await ctx.storage.get(key, range)
  } catch (error) {
    throw error instanceof FileMissing ? problem('media_not_found') : error
  }
}

async function receivePart(ctx: Context, request: FastifyRequest, reply: FastifyReply, params: SignedParams) {
  const { uploadId = '', partNumber = '', sizeBytes = '' } = params
  const path = join(partFolder(ctx.config.media.dir, uploadId), partNumber)
  // Addresses of the release before name no size.
  const bytesMax = Number(sizeBytes) || partBytesMax
  const etag = await writePart(path, request.raw, bytesMax).catch((error: NodeJS.ErrnoException) => {
    // The upload has been aborted or completed in the meantime.
    throw error.code === 'ENOENT' ? problem('upload_not_found') : error
  })
  if (etag === null) throw problem('media_too_large', { message: 'The part is larger than the size given for parts.' })
  return reply.status(200).header('etag', `"${etag}"`).send()
}

/** Parses a Range header with one range. Null means the whole file, which is also the answer to a header with several ranges. */
export function readRange(header: string | undefined, sizeBytes: number): Range | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [, from = '', to = ''] = found
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start > end || start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
