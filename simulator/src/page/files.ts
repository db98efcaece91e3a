import type { Call } from '../http/call.ts'
import type { Reply } from '../http/reply.ts'
import type { Media } from '../state/entities.ts'

const shownTypes = /^(?:image|video|audio)\//
const dayS = 86_400

/** A file of the simulator itself. */
export function assetReply(mime: string, body: string | Buffer, maxAgeSeconds = 0): Reply {
  const caching = maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${maxAgeSeconds}`
  return { status: 200, headers: { 'content-type': mime, 'cache-control': caching, 'x-content-type-options': 'nosniff' }, body }
}

export function pictureReply(mime: string, body: Buffer): Reply {
  return assetReply(mime, body, dayS)
}

/**
 * An uploaded file. Uploads are untrusted: a browser may display photos, videos and PDFs, but not run scripts in them or guess another
 * type, and it saves every other file. A part of the file can be requested, which players need to move in a video.
 */
export function mediaReply({ headers }: Call, { mime, bytes }: Pick<Media, 'mime'> & { bytes: Buffer }): Reply {
  const isPdf = mime === 'application/pdf'
  const isShown = isPdf || shownTypes.test(mime)
  const common = {
    'content-type': mime,
    'content-disposition': isShown ? 'inline' : 'attachment',
    // A browser's own PDF viewer does not work under this policy.
    ...(isPdf ? {} : { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }),
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  }
  const range = readRange(headers.range, bytes.length)
  if (range === undefined) return { status: 200, headers: common, body: bytes }
  if (range === 'outside') return { status: 416, headers: { 'content-range': `bytes */${bytes.length}` }, body: '' }
  const { first, last } = range
  const contentRange = { 'content-range': `bytes ${first}-${last}/${bytes.length}` }
  return { status: 206, headers: { ...common, ...contentRange }, body: bytes.subarray(first, last + 1) }
}

/** Undefined asks for the whole file. Several ranges in one request are answered with the whole file too. */
function readRange(header: string | undefined, size: number): { first: number; last: number } | 'outside' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to))
  return first >= size || last < first ? 'outside' : { first, last }
}
