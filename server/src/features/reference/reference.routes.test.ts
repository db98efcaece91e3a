import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { channelErrors, requestErrors } from '@carillon/contract'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '../../infra/http/answer-error.ts'
import { referenceRoutes } from './reference.routes.ts'

const app = Fastify()
app.decorate('publicUrl', 'https://posts.example.org')
app.setErrorHandler(answerError)
referenceRoutes(app)
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

test('guarantee: the page may load scripts and data from this host only', async () => {
  const { statusCode, headers } = await get('/docs')
  expect(statusCode).toBe(200)
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  )
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('script-src')).toEqual(["'self'"])
  for (const sources of policy.values())
    for (const source of sources) expect(["'none'", "'self'", "'unsafe-inline'", 'data:', 'blob:']).toContain(source)
})

test('guarantee: every file that the page loads is served', async () => {
  const { body } = await get('/docs')
  const loaded = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url)
  expect(loaded).toContain('/docs/start.js')
  const seen = new Set(loaded)
  // The loop also visits the urls that are added to the set while it runs.
  for (const url of seen) {
    const answer = await get(url)
    expect([url, answer.statusCode]).toEqual([url, 200])
    if (!url.endsWith('.js')) continue
    for (const [, path = ''] of answer.body.matchAll(/(?:from|import)\s?\(?["'`]([./][^"'`]*\.js)["'`]/g)) {
      seen.add(new URL(path, `http://host${url}`).pathname)
    }
  }
  expect([...seen].filter((url) => url.startsWith('/docs/viewer/chunks/')).length).toBeGreaterThan(5)
})

test('the OpenAPI document is the contract, compressed on request, and not sent again to a client that has it', async () => {
  const document = readFileSync(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8')
  const plain = await get('/docs/openapi.json')
  expect(plain.body).toBe(document)
  expect(plain.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' })
  const compressed = await get('/docs/openapi.json', { 'accept-encoding': 'gzip, br' })
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(document)
  const again = await get('/docs/openapi.json', { 'if-none-match': String(plain.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('only the files of the viewer are served below /docs/viewer', async () => {
  for (const name of [
    '..%2Findex.js',
    '../index.js',
    'chunks%2F..%2F..%2Findex.js',
    'standalone.esm.js.map',
    'chunks/nothing.js',
    'chunks',
  ])
    expect([name, (await get(`/docs/viewer/${name}`)).statusCode]).toEqual([name, 404])
  const chunk = await get('/docs/viewer/standalone.esm.js')
  expect(chunk.headers['cache-control']).toBe('no-cache')
})

test('a trailing slash redirects to the page', async () => {
  expect((await get('/docs/')).headers.location).toBe('/docs')
})

test('guarantee: the address that a refusal names has the page of its code, on this installation', async () => {
  const refused = await get('/docs/errors/no_such_code')
  expect(refused.statusCode).toBe(404)
  const { docUrl } = refused.json().error
  expect(docUrl).toBe('https://posts.example.org/docs/errors/route_not_found')
  for (const code of [...Object.keys(requestErrors), ...Object.keys(channelErrors)]) {
    const { statusCode, body, headers } = await get(`/docs/errors/${code}`)
    expect([code, statusCode, headers['content-type']]).toEqual([code, 200, 'text/plain; charset=utf-8'])
    expect(body).toContain(`# \`${code}\``)
  }
})

test('no other file can be read as the page of an error', async () => {
  for (const name of ['README', '..%2Finterface', '../interface', 'post_invalid.md', ''])
    expect([name, (await get(`/docs/errors/${name}`)).statusCode]).toEqual([name, 404])
})
