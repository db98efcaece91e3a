import { connectors } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { legalRoutes } from './legal.routes.ts'

let database: TestDatabase
const opened: TestServer[] = []
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(async () => {
  for (const server of opened) await server.close()
  await database.stop()
})

function open(env: Record<string, string> = {}) {
  const server = openServer({ database, env, api: [], root: [legalRoutes] })
  opened.push(server)
  return (url: string, language = 'en-GB') =>
    server.app.inject({ url, headers: { accept: 'text/html', 'accept-language': language } })
}

const pages = ['/legal/privacy', '/legal/terms', '/legal/data-deletion']
const named = { CARILLON_OPERATOR_NAME: 'Ring & Sons', CARILLON_OPERATOR_CONTACT: 'help@tower.example' }

test.each(pages)('guarantee: %s tells a stranger without a script who runs the service and how to reach them', async (url) => {
  const get = open(named)
  const { statusCode, body, headers } = await get(url)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toContain('Ring &amp; Sons')
  expect(body).toContain('<a href="mailto:help@tower.example">help@tower.example</a>')
  expect(body).not.toContain('<script')
  expect(body).not.toMatch(/Carillon|undefined|\{\{/)
  for (const other of pages) expect(body).toContain(`href="${other}`)
})

test.each(pages)('%s is in the language of the browser, and in the one that a person chooses', async (url) => {
  const get = open(named)
  const language = async (path: string, asked?: string) => /<html lang="(\w+)"/.exec((await get(path, asked)).body)?.[1]
  expect(await language(url, 'de-AT,de;q=0.9,en;q=0.5')).toBe('de')
  expect(await language(url, 'fr,en;q=0.5,de;q=0.2')).toBe('en')
  expect(await language(url, 'fr')).toBe('en')
  expect(await language(`${url}?lang=de`, 'en')).toBe('de')
  expect(await language(`${url}?lang=en`, 'de')).toBe('en')
  expect((await get(url)).headers['vary']).toContain('accept-language')
})

test('the privacy page names every platform, and what depends on the settings only if it is so', async () => {
  const manifests = Object.values(connectors).map(({ manifest }) => manifest)
  const plain = (await open()('/legal/privacy')).body
  for (const { name } of manifests) expect(plain).toContain(name)
  expect(plain).not.toContain('ai.example')
  expect(plain).toContain('until the person or the workspace is deleted')
  const rich = open({ CARILLON_AI_URL: 'https://ai.example/v1', CARILLON_AI_MODEL: 'm', CARILLON_AUDIT_DAYS: '90' })
  for (const language of ['en', 'de']) {
    const { body } = await rich(`/legal/privacy?lang=${language}`)
    expect(body).toContain('ai.example')
    expect(body).toContain('90')
  }
})

test('the page about deletion names the platforms that send us requests', async () => {
  const senders = Object.values(connectors).filter(({ readNotice }) => readNotice !== undefined)
  const names = new Intl.ListFormat('en-GB').format(senders.map(({ manifest }) => manifest.name))
  expect(names).toContain('Instagram')
  expect((await open()('/legal/data-deletion')).body).toContain(`${names} can also send us your request`)
})

test('an operator who has pages of their own names their addresses', async () => {
  const get = open({
    CARILLON_PRIVACY_URL: 'https://tower.example/privacy',
    CARILLON_TERMS_URL: 'https://tower.example/terms',
    CARILLON_DATA_DELETION_URL: 'https://tower.example/deletion',
  })
  for (const [url, location] of [
    ['/legal/privacy', 'https://tower.example/privacy'],
    ['/legal/terms', 'https://tower.example/terms'],
    ['/legal/data-deletion?lang=de', 'https://tower.example/deletion'],
  ] as const) {
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers.location]).toEqual([302, location])
  }
})
