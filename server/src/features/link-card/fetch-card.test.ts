import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { openCanary, type Canary } from '../../infra/egress/canary.fixture.ts'
import { makeLargePng, makePhoto, makePngBomb } from '../media/files.fixture.ts'
import { fetchCard } from './fetch-card.ts'

/** Guarantee: no page makes a post fail, makes it wait for more than a few seconds, or makes the server call what is not public. */

let database: TestDatabase
let server: TestServer
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-cards-'))
  database = await startDatabase()
  // The pages of these tests are on this one address. All others of the machine stay closed.
  server = openServer({ database, env: { CARILLON_EGRESS_ALLOW: '127.0.0.1', CARILLON_MEDIA_DIR: dir } })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
  await rm(dir, { recursive: true, force: true })
})

const bare = { title: null, description: null, picture: null, lost: 'page' }

function pageWith(picture: string): string {
  return `<title>Bells</title><meta name="description" content="On the hour."><meta property="og:image" content="${picture}">`
}

const html = { 'content-type': 'text/html' }

/** A site whose every path is answered by one of these. */
async function openSite(answers: Record<string, RequestListener>): Promise<Canary> {
  return openCanary((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
}

function fetchFrom(url: string) {
  return fetchCard(server.ctx, { workspaceId: newUuid(), url })
}

test('a page is asked once, by name, for all channels of a workspace', async () => {
  const photo = await makePhoto({ width: 2400, height: 1260, gps: true })
  const asked: (string | undefined)[] = []
  await using site = await openSite({
    '/': ({ headers }, response) => {
      asked.push(headers['user-agent'], headers.cookie)
      response.writeHead(200, html).end(pageWith('/bell.jpg'))
    },
    '/bell.jpg': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(photo),
  })
  const workspaceId = newUuid()
  const fetchOnce = () => fetchCard(server.ctx, { workspaceId, url: site.url('/') })
  const [card, again] = await Promise.all([fetchOnce(), fetchOnce()])
  expect(card).toMatchObject({ title: 'Bells', description: 'On the hour.', lost: null })
  expect(again).toBe(card)
  expect(await fetchOnce()).toBe(card)
  expect(site.requests()).toBe(2)
  expect(asked).toEqual([expect.stringContaining('Carillon'), undefined])
  // It is drawn anew, in a size that every platform takes, and without the place where it was taken.
  const bytes = Buffer.from((await card.picture?.read()) ?? [])
  const { format, width, height, exif } = await sharp(bytes).metadata()
  expect({ format, long: Math.max(width, height), exif }).toEqual({ format: 'jpeg', long: 1200, exif: undefined })
  expect(card.picture).toMatchObject({ kind: 'image', mimeType: 'image/jpeg', sizeBytes: bytes.length })
  expect(bytes.length).toBeLessThanOrEqual(1_000_000)
})

test('a picture of nine megabytes becomes one that every platform takes', async () => {
  const large = await makeLargePng()
  await using site = await openSite({
    '/': (_request, response) => response.writeHead(200, html).end(pageWith('/large.png')),
    '/large.png': (_request, response) => response.writeHead(200).end(large),
  })
  const { picture } = await fetchFrom(site.url('/'))
  expect(picture?.sizeBytes).toBeLessThanOrEqual(1_000_000)
})

test.each<[string, RequestListener]>([
  ['is missing', (_request, response) => response.writeHead(404, html).end(pageWith(''))],
  ['breaks off', (_request, response) => response.destroy()],
  [
    'is compressed, although nobody asked for it',
    (_request, response) => {
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(pageWith(''))
    },
  ],
  ['is no page', (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')],
  ['has no tags', (_request, response) => response.writeHead(200, html).end('<h1>Bells</h1>')],
  [
    'leads to an address that is not public',
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.2/' }).end(),
  ],
  ['leads to itself for ever', (_request, response) => response.writeHead(302, { location: '/' }).end()],
])('a page that %s gives a card with the address', async (_name, answer) => {
  await using site = await openSite({ '/': answer })
  expect(await fetchFrom(site.url('/'))).toEqual(bare)
})

test('a page inside the network is not asked', async () => {
  await using inside = await openCanary((_request, response) => response.writeHead(200, html).end(pageWith('')), {
    host: '127.0.0.2',
  })
  expect(await fetchFrom(inside.url('/'))).toEqual(bare)
  expect(inside.connections()).toBe(0)
})

test('a page that never ends is read as far as it came, and one that never answers is given up', async () => {
  await using site = await openSite({
    '/endless': (_request, response) => {
      response.writeHead(200, html).write(pageWith(''))
      const timer = setInterval(() => response.write('<p>bell'), 50)
      response.on('close', () => clearInterval(timer))
    },
    '/huge': (_request, response) => response.writeHead(200, html).end(`${pageWith('')}${'<p>bell'.repeat(2_000_000)}`),
    '/silent': () => {},
  })
  const startedMs = performance.now()
  const [endless, huge, silent] = await Promise.all(['/endless', '/huge', '/silent'].map((path) => fetchFrom(site.url(path))))
  expect(performance.now() - startedMs).toBeLessThan(6_000)
  expect(endless).toMatchObject({ title: 'Bells' })
  expect(huge).toMatchObject({ title: 'Bells' })
  expect(silent).toEqual(bare)
}, 15_000)

test('a picture that is none, or that cannot be had, costs the card its picture only', async () => {
  await using inside = await openCanary((_request, response) => response.end(), { host: '127.0.0.2' })
  const bomb = makePngBomb(60_000)
  await using site = await openSite({
    '/text': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>'),
    '/svg': (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    '/bomb': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bomb),
    '/empty': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(),
    '/silent': () => {},
  })
  const named = [
    '/text',
    '/svg',
    '/bomb',
    '/empty',
    '/silent',
    '/missing',
    inside.url('/'),
    'data:image/png;base64,AA==',
    'file:///etc/passwd',
    'http://[',
  ]
  await using pages = await openCanary(({ url = '' }, response) => {
    const picture = named[Number(url.slice(1))] ?? ''
    response.writeHead(200, html).end(pageWith(picture.startsWith('/') ? site.url(picture) : picture))
  })
  const startedMs = performance.now()
  const cards = await Promise.all(named.map((_, n) => fetchFrom(pages.url(`/${n}`))))
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  const wanted = { title: 'Bells', description: 'On the hour.', picture: null, lost: 'picture' }
  expect(cards).toEqual(named.map(() => wanted))
  expect(inside.connections()).toBe(0)
  // What the decoders were still at is removed when they end.
  const spool = server.ctx.storage.spoolDir
  await expect.poll(() => readdir(spool).catch(() => []), { timeout: 15_000 }).toEqual([])
}, 30_000)
