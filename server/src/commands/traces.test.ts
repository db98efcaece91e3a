import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openAccount, upStack, type Stack } from '@carillon/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; kind: number }
type Batch = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

const dir = join(tmpdir(), `carillon-traces-${process.pid}`)
/** Everything that the collector received, as text. */
const received: string[] = []
let collector: Server
let stack: Stack

beforeAll(async () => {
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  stack = await upStack({
    dir,
    fsync: false,
    roles: ['api', 'worker'],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      CARILLON_TRACE_PERCENT: '100',
      CARILLON_LOG_LEVEL: 'trace',
    },
  })
}, 400_000)

afterAll(async () => {
  await stack?.stop()
  collector?.close()
  await rm(dir, { recursive: true, force: true })
}, 60_000)

const spansOf = (traceId: string): Span[] =>
  received
    .flatMap((body) => (JSON.parse(body) as Batch).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .filter((span) => span.traceId === traceId)

async function createPost(connection: string, headers: Record<string, string> = {}): Promise<string> {
  const { info } = stack
  const response = await fetch(`${info.baseUrl}/content/text`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${info.apiKey}`,
      'x-workspace-id': info.workspaceId,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ connections: [connection], text: 'a text of a user', async: true }),
  })
  expect(response.status).toBe(202)
  return response.headers.get('x-request-id') ?? ''
}

const names = ['POST /api/content/text', 'enqueue publish', 'publish', 'POST bluesky']

test('guarantee: request, job and platform call are one trace, whose id is X-Request-Id', { timeout: 120_000 }, async () => {
  const { slug } = await stack.connect('bluesky', 'traced')
  const requestId = await createPost(slug)
  const traceId = requestId.replaceAll('-', '')
  await expect.poll(() => spansOf(traceId).map(({ name }) => name), { timeout: 60_000 }).toEqual(expect.arrayContaining(names))
  const byName = new Map(spansOf(traceId).map((span) => [span.name, span]))
  // Each is the child of the one before, and the request has no parent.
  for (const [at, name] of names.entries())
    expect(byName.get(name)?.parentSpanId || undefined).toBe(byName.get(names[at - 1] ?? '')?.spanId)
})

test('guarantee: the trace of a caller continues', { timeout: 120_000 }, async () => {
  const { slug } = await stack.connect('bluesky', 'continued')
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const requestId = await createPost(slug, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  expect(requestId.replaceAll('-', '')).toBe(traceId)
  await expect.poll(() => spansOf(traceId).map(({ name }) => name), { timeout: 60_000 }).toEqual(expect.arrayContaining(names))
  expect(spansOf(traceId).find(({ kind }) => kind === 2)?.parentSpanId).toBe('00f067aa0ba902b7')
})

test('guarantee: no token, key, password or text of a post is in a span or in a log', async () => {
  const { credentials } = await openAccount(stack.info.simulatorUrl, 'bluesky', 'traced')
  const secrets = Object.values(credentials).filter((value) => typeof value === 'string' && value.length > 8)
  expect(secrets.length).toBeGreaterThan(0)
  expect(received.join('')).not.toContain('a text of a user')
  const logs = (await readdir(dir, { recursive: true })).filter((file) => /carillon-\w+\.log$/.test(file))
  expect(logs.length).toBeGreaterThan(1)
  const all = [...received, ...(await Promise.all(logs.map((file) => readFile(join(dir, file), 'utf8'))))].join('\n')
  for (const secret of [...secrets, stack.info.apiKey]) expect(all.includes(String(secret))).toBe(false)
})
