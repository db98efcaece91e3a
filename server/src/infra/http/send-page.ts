import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { escapeHtml, sendPlainPage } from '../html/render-page.ts'
import { problem } from '../problem/problem.ts'

type Field = { name: string; label: string; type: 'email' | 'password' | 'text'; autocomplete: string; minLength?: number }
export type Page = {
  title: string
  paragraphs: readonly string[]
  button?: { label: string; action: string; fields?: readonly Field[] }
  link?: { label: string; href: string }
}

/** Browsers accept `text/html` explicitly; programs usually do not. */
export function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

/** A simple page for people who follow a link in a mail or come back from a platform. It does not need the web app. */
export function sendPage(reply: FastifyReply, { title, paragraphs, button, link }: Page, status = 200): FastifyReply {
  const form = button
    ? `<form method="post" action="${escapeHtml(button.action)}">${(button.fields ?? []).map(input).join('')}` +
      `<button>${escapeHtml(button.label)}</button></form>`
    : ''
  const more = link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : ''
  const text = paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join('')
  return sendPlainPage(reply, { language: 'en', title, content: `<h1>${escapeHtml(title)}</h1>${text}${form}${more}`, status })
}

function input({ name, label, type, autocomplete, minLength }: Field): string {
  const least = minLength === undefined ? '' : ` minlength="${minLength}"`
  return (
    `<p><label>${escapeHtml(label)} <input name="${escapeHtml(name)}" type="${type}" autocomplete="${escapeHtml(autocomplete)}"` +
    `${least} required></label></p>`
  )
}

type StaticFile = {
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

/** Whether the client accepts gzip. `gzip;q=0` refuses it. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding'] ?? ''
  const codings = Array.isArray(accepted) ? accepted.join() : accepted
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(codings)
}

/** The security headers of every answer. Routes for pages and files override the ones that must differ. */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
