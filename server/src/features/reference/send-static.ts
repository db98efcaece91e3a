import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../infra/problem/problem.ts'

export type StaticFile = { path: string; type: string; cache: string }

/** Sends a file from the disk: compressed if the client accepts gzip, and 304 without a body if its cached copy is current. */
export async function sendStatic(request: FastifyRequest, reply: FastifyReply, { path, type, cache }: StaticFile) {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw problem('route_not_found')
  const etag = `W/"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`
  void reply.headers({ 'content-type': type, 'cache-control': cache, etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  const file = createReadStream(path)
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.header('content-length', found.size).send(file)
  const compressed = createGzip()
  // If the client disconnects or reading fails, both streams are closed.
  pipeline(file, compressed, () => {})
  return reply.header('content-encoding', 'gzip').send(compressed)
}
