import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { escapeHtml } from '../../infra/html/render-page.ts'
import { sendPage, sendStatic, wantsPage } from '../../infra/http/send-page.ts'
import { problem } from '../../infra/problem/problem.ts'

/** First parts of paths that are never a page of the app: an unknown path below them is an error in JSON. */
const serverPaths = new Set([
  'api',
  'auth',
  'integrations',
  'invitations',
  'files',
  'docs',
  'health',
  'operator',
  'assets',
  'legal',
  'oauth',
  'device',
  '.well-known',
])

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

const manifestName = 'manifest.webmanifest'
const rootFiles = ['theme.js', 'icon.svg', manifestName]

/** The web app: its files from the disk, and its page for every address that no other route answers. */
export function webRoutes(app: FastifyInstance, { config }: Context): void {
  const { webDir } = config
  const pageHeaders = { 'content-security-policy': pagePolicy(config) }
  const { operator } = config
  const isBranded = operator.name !== 'Carillon' || operator.logoUrl !== null

  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const name = request.params['*']
    if (!/^[\w.-]+$/.test(name)) throw problem('route_not_found')
    // The name of an asset changes with its content.
    return sendBuilt(request, reply, { path: join(webDir, 'assets', name), cache: 'public, max-age=31536000, immutable' })
  })
  for (const name of rootFiles)
    app.get(`/${name}`, (request, reply) => {
      const path = join(webDir, name)
      if (isBranded && name === manifestName)
        return sendBranded(request, reply, { path, brand: (text) => nameManifest(text, operator) })
      return sendBuilt(request, reply, { path, cache: 'no-cache' })
    })

  for (const [name, content] of Object.entries(config.siteFiles))
    app.get(`/${name}`, (_request, reply) =>
      reply
        .headers({
          'content-type': name.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .send(content),
    )

  app.get('/*', async (request, reply) => {
    const [first = ''] = request.url.slice(1).split(/[/?]/)
    if (!wantsPage(request) || serverPaths.has(first)) throw problem('route_not_found')
    const path = join(webDir, 'index.html')
    if (!(await isFile(path))) return sendMissing(request, reply)
    void reply.headers(pageHeaders)
    if (isBranded) return sendBranded(request, reply, { path, brand: (html) => namePage(html, operator) })
    return sendBuilt(request, reply, { path, cache: 'no-cache' })
  })
}

type Operator = Context['config']['operator']

/** The page of the app with the operator's name and logo, which the app reads there. */
function namePage(html: string, { name, logoUrl }: Operator): string {
  return html
    .replaceAll('Carillon', () => escapeHtml(name))
    .replace('name="operator-logo" content=""', () => `name="operator-logo" content="${escapeHtml(logoUrl ?? '')}"`)
}

function nameManifest(text: string, { name }: Operator): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), name, short_name: name })
}

/** Sends a small file of the build with something of the operator in it. The prepared forms do not have it, so it is not compressed. */
async function sendBranded(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, brand }: { path: string; brand: (text: string) => string },
) {
  const text = brand(await readFile(path, 'utf8').catch(() => throwMissing()))
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  void reply.headers({ 'content-type': types[extname(path)], 'cache-control': 'no-cache', etag })
  return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(text)
}

function throwMissing(): never {
  throw problem('route_not_found')
}

/** Sends a file of the build, in the smallest of its prepared forms that the client accepts. */
async function sendBuilt(request: FastifyRequest, reply: FastifyReply, { path, cache }: { path: string; cache: string }) {
  const type = types[extname(path)]
  if (type === undefined) throw problem('route_not_found')
  const { 'accept-encoding': encodings = '' } = request.headers
  const accepted = (Array.isArray(encodings) ? encodings.join(',') : encodings)
    .split(',')
    .map((each) => each.split(';')[0]?.trim())
  for (const [encoding, ending] of [['br', '.br'] as const, ['gzip', '.gz'] as const]) {
    if (accepted.includes(encoding) && (await isFile(path + ending)))
      return sendStatic(request, reply, { path: path + ending, type, cache, encoding })
  }
  return sendStatic(request, reply, { path, type, cache, encoding: 'identity' })
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ?? false
}

/** The pages that mailed links open, and those that do the same without the app. */
const plainPages: Readonly<Record<string, string>> = {
  '/address': '/auth/address',
  '/verify': '/auth/verify',
  '/reset': '/auth/password',
  '/join': '/invitations/accept',
}

function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { pathname, search } = new URL(request.url, 'http://here')
  const plain = plainPages[pathname]
  if (plain !== undefined) return reply.redirect(plain + search, 303)
  const paragraphs = [
    'This server has no web app: it was not built, or CARILLON_WEB_DIR names another folder.',
    'The API is at /api and its reference at /docs.',
  ]
  return sendPage(reply, { title: 'Carillon', paragraphs }, 404)
}

/**
 * What the page of the app may load. There is no inline script or style in it, and Trusted Types keep scripts from being made out of text.
 * Media come from the file host or the S3 store where those have addresses of their own.
 */
function pagePolicy({ publicUrl, media, operator }: Pick<Config, 'publicUrl' | 'media' | 'operator'>): string {
  const own = new URL(publicUrl).origin
  const files = fileOrigins({ publicUrl, media })
  const sources = (...fixed: string[]) => [...new Set([...fixed, ...files])].join(' ')
  const logo = operator.logoUrl === null ? [] : [new URL(operator.logoUrl).origin]
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': sources("'self'", 'data:', 'blob:', ...logo.filter((origin) => origin !== own)),
    'media-src': sources("'self'", 'blob:'),
    'connect-src': sources("'self'"),
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
  }
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')
}

/** Where files come from, besides the address of the service itself. */
export function fileOrigins({ publicUrl, media }: Pick<Config, 'publicUrl' | 'media'>): string[] {
  const own = new URL(publicUrl).origin
  return [media.filesUrl, media.s3?.publicEndpoint ?? media.s3?.endpoint]
    .flatMap((url) => (url ? originsOf(url, media.s3) : []))
    .filter((origin) => origin !== own)
}

/** A store whose addresses are `bucket.host/key` is another origin than its endpoint. */
function originsOf(url: string, s3: Config['media']['s3']): string[] {
  const { origin, protocol, host } = new URL(url)
  return s3 && !s3.pathStyle ? [origin, `${protocol}//${s3.bucket}.${host}`] : [origin]
}
