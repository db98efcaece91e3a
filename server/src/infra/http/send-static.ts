import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../problem/problem.ts'
import { acceptsGzip } from './accepts-gzip.ts'

export type StaticFile = {
  path: string
  type: string
  cache: string
  /** Set for a file that is compressed already, or must not be: it is sent as it is. */
  encoding?: 'br' | 'gzip' | 'identity'
}

const compress = promisify(gzip)

/** Compressed files by path and version. Only existing files of the viewer are sent, so they have a few MB altogether. */
const compressed = new Map<string, Promise<Buffer>>()

/**
 * Sends a file from the disk: compressed if the client accepts gzip and the file is not prepared, and 304 without a body if its cached copy
 * is current.
 */
export async function sendStatic(request: FastifyRequest, reply: FastifyReply, { path, type, cache, encoding }: StaticFile) {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw problem('route_not_found')
  const etag = `W/"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`
  void reply.headers({ 'content-type': type, 'cache-control': cache, etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  if (encoding !== undefined && encoding !== 'identity') void reply.header('content-encoding', encoding)
  if (encoding !== undefined || !acceptsGzip(request))
    return reply.header('content-length', found.size).send(createReadStream(path))
  return reply.header('content-encoding', 'gzip').send(await compressOnce(path, etag))
}

/** Each version of a file is compressed once, in a thread of Node: a request for a page must not cost the time of compressing it. */
function compressOnce(path: string, etag: string): Promise<Buffer> {
  const name = `${path} ${etag}`
  const known = compressed.get(name)
  if (known) return known
  const made = readFile(path).then((bytes) => compress(bytes))
  compressed.set(name, made)
  made.catch(() => compressed.delete(name))
  return made
}
