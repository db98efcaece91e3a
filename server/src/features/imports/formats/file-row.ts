import { createHash } from 'node:crypto'
import { importRowsMax, type PostType } from '@carillon/contract'
import { findForbidden, isTooDeep } from '../../../infra/http/find-forbidden.ts'
import { canonicalJson } from '../../../infra/http/canonical-json.ts'
import type { RowContent } from '../../../infra/db/tables.ts'
import { problem } from '../../../infra/problem/problem.ts'

/** A row that was read, or why it could not be. The same key is the same post. */
export type FileRow = { key: string; content: RowContent } | { key: string; refusal: string }

type NamedFile = { url: string; mimeType?: string | null; alt?: string | null }

const keyMax = 200

/** A file that is no import at all. */
export function unreadable(message: string, cause?: unknown): Error {
  return problem('request_invalid', { message, details: [{ path: 'content', message }], cause })
}

export function refuseTooMany(rows: number): void {
  if (rows > importRowsMax) throw unreadable(`A file has at most ${importRowsMax} rows. Split it and import the parts.`)
}

/** The key of a row that has an id in its tool, or else a hash of what it says. */
export function keyOf(tool: string, id: unknown, content: unknown): string {
  const named = typeof id === 'number' || typeof id === 'string' ? String(id).trim() : ''
  if (named !== '' && named.length <= keyMax) return `${tool}:${named}`
  return `${tool}:${createHash('sha256')
    .update(canonicalJson(named === '' ? content : named))
    .digest('hex')
    .slice(0, 32)}`
}

/** The values of a file in JSON: of an array, of the list that a page of an API has, or of one line each. */
export function readValues(text: string, listIn: (page: unknown) => unknown): unknown[] {
  const whole = parse(text)
  if (whole.ok) {
    const list = Array.isArray(whole.value) ? whole.value : listIn(whole.value)
    return Array.isArray(list) ? list : [whole.value]
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line, index) => {
    const parsed = parse(line)
    if (!parsed.ok) throw unreadable(`Line ${index + 1} is no JSON.`)
    const list = Array.isArray(parsed.value) ? parsed.value : listIn(parsed.value)
    return Array.isArray(list) ? list : [parsed.value]
  })
}

/** The value of a text in JSON, without what the database cannot store. */
export function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  if (isTooDeep(text)) return { ok: false }
  try {
    const value: unknown = JSON.parse(text)
    return findForbidden(value) === null ? { ok: true, value } : { ok: false }
  } catch {
    return { ok: false }
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A time of a tool that writes UTC without saying so. */
export function asUtc(at: string): string {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(at) ? at : `${at.replace(' ', 'T')}Z`
}

/** The fields of a post with these files, and its type. */
export function filesOf(files: readonly NamedFile[]): { type: PostType; fields: Record<string, unknown> } {
  if (files.length === 0) return { type: 'text', fields: {} }
  const medias = files.map(({ url }) => url)
  const alts = files.some(({ alt }) => alt) ? { mediaOptions: files.map(({ alt }) => (alt ? { alt } : {})) } : {}
  return { type: typeOf(files), fields: { medias, ...alts } }
}

/** What the files say of themselves counts more than the ends of their names. */
export function typeOf(files: readonly NamedFile[]): PostType {
  const [first] = files
  if (!first) return 'text'
  if (files.length > 1) return 'photo'
  const kind = first.mimeType ?? ''
  if (kind.startsWith('video/')) return 'video'
  if (kind === 'application/pdf') return 'document'
  const path = URL.parse(first.url)?.pathname ?? first.url
  if (kind === '' && /\.(mp4|mov|m4v|webm)$/i.test(path)) return 'video'
  return kind === '' && /\.pdf$/i.test(path) ? 'document' : 'photo'
}
