import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { answerError } from '../../infra/http/answer-error.ts'
import { webRoutes } from './web.routes.ts'

const page = '<!doctype html><title>Carillon</title>'
const script = 'console.log("app")'
const required = {
  DATABASE_URL: 'postgres://nowhere',
  CARILLON_SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
}
let dir = ''
const app = Fastify()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-web-'))
  await mkdir(join(dir, 'assets'))
  await mkdir(join(dir, '.vite'))
  await writeFile(join(dir, '.vite/manifest.json'), '{}')
  for (const [name, text] of [
    ['index.html', page] as const,
    ['assets/main-abc.js', script] as const,
    ['theme.js', script] as const,
  ]) {
    await writeFile(join(dir, name), text)
    await writeFile(join(dir, `${name}.br`), brotliCompressSync(text))
    await writeFile(join(dir, `${name}.gz`), gzipSync(text))
  }
  const config = readConfig({
    ...required,
    CARILLON_WEB_DIR: dir,
    CARILLON_PUBLIC_URL: 'https://carillon.example',
    CARILLON_FILES_URL: 'https://files.carillon.example',
  })
  app.setErrorHandler(answerError)
  webRoutes(app, { config } as Context)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) => app.inject({ url, headers })

test('guarantee: every address of the app gets the page, which is always checked for a newer version', async () => {
  for (const url of ['/', '/sign-in', '/w/6af9773e83f542bfc0e7ecac/posts/6af9773e83f542bfc0e7ecad', '/join?token=abc']) {
    const { statusCode, body, headers } = await get(url)
    expect([url, statusCode, body]).toEqual([url, 200, page])
    expect(headers['cache-control']).toBe('no-cache')
  }
})

test('guarantee: the page may run no script and no style but those of this host, and Trusted Types are on', async () => {
  const { headers } = await get('/')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("img-src 'self' data: blob: https://files.carillon.example;")
})

test('an unknown path below those of the server, or for a program, is an error in JSON', async () => {
  for (const url of ['/api/nothing', '/auth/nothing', '/files/nothing', '/assets/nothing.js']) {
    const { statusCode, json } = await get(url)
    expect([url, statusCode, json().error.code]).toEqual([url, 404, 'route_not_found'])
  }
  expect((await get('/nothing', { accept: 'application/json' })).statusCode).toBe(404)
})

test('guarantee: the app has the name of the operator, whatever characters it has', async () => {
  const ownDir = await mkdtemp(join(tmpdir(), 'carillon-web-'))
  const source = join(import.meta.dirname, '../../../../web')
  await copyFile(join(source, 'index.html'), join(ownDir, 'index.html'))
  await copyFile(join(source, 'public/manifest.webmanifest'), join(ownDir, 'manifest.webmanifest'))
  const branded = Fastify()
  webRoutes(branded, {
    config: readConfig({
      ...required,
      CARILLON_WEB_DIR: ownDir,
      CARILLON_OPERATOR_NAME: 'Ring & "Sons" $&',
      CARILLON_OPERATOR_LOGO_URL: 'https://tower.example/logo.svg?a=1&b=2',
    }),
  } as Context)
  const { body, headers } = await branded.inject({ url: '/sign-in', headers: { accept: 'text/html' } })
  expect(body).toContain('<title>Ring &amp; &quot;Sons&quot; $&amp;</title>')
  expect(body).toContain('<meta name="application-name" content="Ring &amp; &quot;Sons&quot; $&amp;" />')
  expect(body).toContain('<meta name="operator-logo" content="https://tower.example/logo.svg?a=1&amp;b=2" />')
  expect(body).not.toContain('Carillon')
  expect(headers['content-security-policy']).toContain("img-src 'self' data: blob: https://tower.example;")
  const again = await branded.inject({ url: '/', headers: { accept: 'text/html', 'if-none-match': String(headers.etag) } })
  expect(again.statusCode).toBe(304)
  const manifest = await branded.inject({ url: '/manifest.webmanifest' })
  expect(manifest.json()).toMatchObject({ name: 'Ring & "Sons" $&', short_name: 'Ring & "Sons" $&' })
  await rm(ownDir, { recursive: true })
})

test('guarantee: the files that prove a domain are served as they are, and no other file of such a name', async () => {
  const site = Fastify()
  site.setErrorHandler(answerError)
  const files = { 'tiktokAb1.txt': 'tiktok-developers-site-verification=Ab1', 'google1f.html': '<b>google1f.html</b>' }
  webRoutes(site, {
    config: readConfig({ ...required, CARILLON_WEB_DIR: dir, CARILLON_SITE_FILES: JSON.stringify(files) }),
  } as Context)
  for (const [name, text] of Object.entries(files)) {
    const { statusCode, body, headers } = await site.inject({ url: `/${name}` })
    expect([statusCode, body]).toEqual([200, text])
    expect(headers['content-type']).toBe(`text/${name.endsWith('.txt') ? 'plain' : 'html'}; charset=utf-8`)
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
  }
  for (const url of ['/tiktokAb2.txt', '/tiktokab1.txt', '/x/tiktokAb1.txt', '/..%2ftiktokAb1.txt', '/%2e%2e/package.json'])
    expect([url, (await site.inject({ url })).statusCode]).toEqual([url, 404])
})

test('assets are cached for good and sent in the form the client accepts', async () => {
  const plain = await get('/assets/main-abc.js', {})
  expect([plain.statusCode, plain.body, plain.headers['content-encoding']]).toEqual([200, script, undefined])
  expect(plain.headers['cache-control']).toContain('immutable')
  for (const [accepted, sent] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
  ] as const)
    expect((await get('/assets/main-abc.js', { 'accept-encoding': accepted })).headers['content-encoding']).toBe(sent)
})

test('guarantee: only files of the build are served', async () => {
  for (const url of [
    '/assets/..%2Findex.html',
    '/assets/%2e%2e%2f.vite/manifest.json',
    '/.vite/manifest.json',
    '/assets/main-abc.js.map',
  ])
    expect([url, (await get(url, {})).statusCode]).toEqual([url, 404])
})
