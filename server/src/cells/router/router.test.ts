import { once } from 'node:events'
import { request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId, setIdCell } from '../../infra/db/ids.ts'
import { closeApp } from '../../infra/process/stop-on-signal.ts'
import { renderRouterMetrics } from './router-command.ts'
import { closedUrl, sendRaw, startCellStub, startRouter, type CellStub, type TestRouter } from './router.fixture.ts'

let zero: CellStub
let seven: CellStub
let router: TestRouter

beforeEach(async () => {
  ;[zero, seven] = await Promise.all([startCellStub('zero'), startCellStub('seven')])
  router = await startRouter({ 0: zero.url, 7: seven.url, 8: await closedUrl() })
})
afterEach(async () => {
  await router.stop()
  await Promise.all([zero.stop(), seven.stop()])
})

function idOf(cell: number): string {
  setIdCell(cell)
  const id = newId(Date.now())
  setIdCell(0)
  return id
}

type ErrorBody = { success: boolean; error: { code: string; retryable: boolean; docUrl: string; traceId: string } }

const toSeven = () => ({ 'x-workspace-id': idOf(7) })
const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code

function open(path: string, options: { method?: string; headers?: Record<string, string> } = {}): ClientRequest {
  return openRequest(`${router.url}${path}`, { agent: false, ...options })
}

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

describe('guarantee: a request and its answer pass unchanged', () => {
  test('method, address, body, status and headers', async () => {
    seven.answer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      seven.seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('etag', '"x"').writeHead(418).end('short and stout')
    })
    const url = '/api/content/%E2%82%AC//..%2f?q=a%20b&q=c'
    const response = await fetch(`${router.url}${url}`, { method: 'PATCH', headers: toSeven(), body: '{"a":1}' })
    expect([response.status, await response.text()]).toEqual([418, 'short and stout'])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('etag')).toBe('"x"')
    expect(seven.seen).toMatchObject([{ method: 'PATCH', url, body: '{"a":1}' }])
    expect(zero.seen).toEqual([])
  })

  test('a request that names no cell goes to the default cell, HEAD and OPTIONS too', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const response = await fetch(router.url, { method })
      expect([response.status, response.headers.get('x-cell')]).toEqual([200, 'zero'])
    }
    expect(zero.seen.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
  })

  test('answers without a body', async () => {
    for (const status of [204, 304]) {
      seven.answer((_request, response) => response.writeHead(status).end())
      const response = await fetch(`${router.url}/api/me`, { headers: toSeven() })
      expect([response.status, await response.text()]).toEqual([status, ''])
    }
  })
})

describe('guarantee: a client cannot claim another address or slip a second request in', () => {
  const claims = {
    forwarded: 'for=6.6.6.6',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-real-ip': '6.6.6.6',
    'true-client-ip': '6.6.6.6',
  }

  test('the cell gets the address that the router saw, and no other', async () => {
    await fetch(router.url, { headers: claims })
    const { headers } = zero.seen[0] ?? {}
    expect(headers?.['x-forwarded-for']).toBe('127.0.0.1')
    expect(headers?.['x-forwarded-proto']).toBe('http')
    for (const name of ['forwarded', 'x-forwarded-host', 'x-real-ip', 'true-client-ip']) expect(headers?.[name]).toBeUndefined()
    expect(JSON.stringify(headers)).not.toContain('6.6.6.6')
  })

  test('a trusted proxy in front names the client, and the client cannot add to it', async () => {
    const behind = await startRouter({ 0: zero.url }, { CARILLON_TRUSTED_PROXIES: '127.0.0.1' })
    await fetch(behind.url, { headers: { 'x-forwarded-for': '6.6.6.6, 9.9.9.9', 'x-forwarded-proto': 'https' } })
    await behind.stop()
    expect(zero.seen[0]?.headers).toMatchObject({ 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https' })
  })

  test('headers of one connection stay on it, also those that the client names', async () => {
    const head = ['GET / HTTP/1.1', 'Host: carillon.example', 'Connection: close, X-Secret, X-Forwarded-For', 'X-Secret: 1']
    const more = [
      'TE: trailers',
      'Keep-Alive: timeout=9',
      'Proxy-Authorization: Basic eA==',
      'Upgrade: h2c',
      'HTTP2-Settings: AA',
    ]
    const received = await sendRaw(router.url, `${[...head, ...more].join('\r\n')}\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 200/)
    const { headers = {} } = zero.seen[0] ?? {}
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(headers.host).toBe('carillon.example')
    for (const name of ['x-secret', 'te', 'proxy-authorization', 'upgrade', 'http2-settings'])
      expect([name, headers[name]]).toEqual([name, undefined])
  })

  test.each([
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 30\r\n\r\nabc'],
    ['a length and chunks', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an encoding that is not chunked', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: a\r\nX-Workspace-Id : x\r\n\r\n'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: b\nX-Forwarded-For: 6.6.6.6\r\n\r\n'],
    ['another host in the request line', 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ])('%s is refused, and nothing reaches a cell', async (_name, bytes) => {
    expect(await sendRaw(router.url, bytes)).not.toMatch(/answer of/)
    expect(zero.seen).toEqual([])
  })

  test('an address that begins with two slashes stays a path of the cell', async () => {
    await sendRaw(router.url, 'GET //evil.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(zero.seen).toMatchObject([{ url: '//evil.example/x' }])
  })
})

describe('guarantee: bodies are streamed', () => {
  test('a live stream opens before its first event, and each event arrives while it is open', async () => {
    const events = Promise.withResolvers<(text: string) => void>()
    seven.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      events.resolve((text) => void response.write(text))
    })
    const response = await fetch(`${router.url}/api/workspaces/${idOf(7)}/live`)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const send = await events.promise
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      send(text)
      expect((await reader?.read())?.value).toBe(text)
    }
    expect(router.router.streams.size).toBe(1)
    await reader?.cancel()
    await expect.poll(() => router.router.streams.size).toBe(0)
  })

  test('the cell receives an upload while the client still sends it', async () => {
    const first = Promise.withResolvers<string>()
    seven.answer((request, response) => {
      request.once('data', (chunk) => first.resolve(String(chunk)))
      request.on('end', () => response.end('stored'))
    })
    const upload = open('/api/media/upload', { method: 'POST', headers: toSeven() })
    upload.write('one')
    expect(await first.promise).toBe('one')
    upload.end('two')
    expect((await answerTo(upload)).statusCode).toBe(200)
  })

  test('32 MB pass in both directions', async () => {
    seven.answer((request, response) => void request.pipe(response))
    const sent = Buffer.alloc(32 * 1024 * 1024, 'carillon')
    const response = await fetch(`${router.url}/files/${idOf(7)}/media/x`, { method: 'PUT', body: sent })
    expect(Buffer.from(await response.arrayBuffer()).equals(sent)).toBe(true)
  })

  test('a refusal reaches a client that is still sending', async () => {
    seven.answer((_request, response) => response.writeHead(413).end('too large'))
    const upload = open('/api/media/upload', { method: 'POST', headers: { ...toSeven(), 'content-length': '50000000' } })
    upload.on('error', () => {})
    const sending = setInterval(() => upload.write(Buffer.alloc(100_000)), 5)
    try {
      expect((await answerTo(upload)).statusCode).toBe(413)
    } finally {
      clearInterval(sending)
      upload.destroy()
    }
  })

  test('the cell learns that the client has left', async () => {
    const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    seven.answer((_request, response) => {
      response.once('close', left.resolve)
      arrived.resolve()
    })
    const request = open('/api/me', { headers: toSeven() })
    request.on('error', () => {})
    request.end()
    await arrived.promise
    request.destroy()
    expect(await left.promise).toBeUndefined()
  })

  test('an answer that breaks off is not mistaken for a complete one', async () => {
    seven.answer((_request, response) => {
      response.writeHead(200).write('half')
      setTimeout(() => response.destroy(), 50)
    })
    const response = await fetch(`${router.url}/api/me`, { headers: toSeven() })
    await expect(response.text()).rejects.toThrow('terminated')
  })
})

describe('guarantee: a failure says which part failed and what to do', () => {
  test('a cell that is not configured', async () => {
    const response = await fetch(`${router.url}/api/content`, { headers: { 'x-workspace-id': idOf(9) } })
    const body = (await response.json()) as ErrorBody
    expect(response.status).toBe(404)
    expect(body).toMatchObject({ success: false, error: { code: 'cell_unknown', retryable: false } })
    expect(new URL(body.error.docUrl).pathname).toBe('/docs/errors/cell_unknown')
    expect(response.headers.get('x-request-id')).toBe(body.error.traceId)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a cell that is down: nothing was sent, also if the request has a body', async () => {
    for (const body of [undefined, 'x'.repeat(3_000_000)]) {
      const request = { method: 'POST', headers: { 'x-workspace-id': idOf(8) }, ...(body !== undefined && { body }) }
      const response = await fetch(`${router.url}/api/content/text`, request)
      expect([response.status, response.headers.get('retry-after'), await codeOf(response)]).toEqual([
        503,
        '5',
        'cell_unreachable',
      ])
    }
  })

  test('a cell that closes the connection: it is not known whether the request was carried out', async () => {
    seven.answer((request) => request.socket.destroy())
    const response = await fetch(`${router.url}/api/content/text`, { method: 'POST', headers: toSeven(), body: '{}' })
    expect([response.status, response.headers.get('retry-after'), await codeOf(response)]).toEqual([502, '5', 'cell_no_answer'])
  })

  test('a malformed address', async () => {
    const response = await fetch(`${router.url}/api/%zz`)
    expect([response.status, await codeOf(response)]).toEqual([400, 'bad_request'])
  })
})

describe('guarantee: a workspace that has moved is found', () => {
  /** As a cell does it, which reads the workspace from the header, and otherwise finds it by the key. */
  const refuseMoved = (cell: CellStub, to: number) =>
    cell.answer(({ headers }, response) => {
      const id = headers['x-workspace-id']
      const named = id === undefined ? {} : { 'carillon-moved': `${String(id)}=${to}` }
      response.writeHead(421, { 'carillon-moved-to': String(to), ...named }).end('{}')
    })

  test('a request follows at once, and the next ones go there directly', async () => {
    refuseMoved(seven, 0)
    const headers = toSeven()
    for (const request of [{ headers }, { headers, method: 'POST', body: '{"a":1}' }])
      expect((await fetch(`${router.url}/api/content`, request)).headers.get('x-cell')).toBe('zero')
    expect(zero.seen).toMatchObject([{ body: '' }, { body: '{"a":1}' }])
    const { text } = await renderRouterMetrics(router.router)
    expect(text).toContain('carillon_router_moved_total{cell="7"} 1\n')
  })

  test('a small body is sent to both cells', async () => {
    refuseMoved(seven, 0)
    await fetch(`${router.url}/api/content/text`, { method: 'POST', headers: toSeven(), body: '{"a":1}' })
    expect(zero.seen).toMatchObject([{ method: 'POST', url: '/api/content/text', body: '{"a":1}' }])
  })

  test('a large body cannot be sent twice: the client sends it again, and it arrives then', async () => {
    refuseMoved(seven, 0)
    const request = { method: 'POST', headers: toSeven(), body: 'x'.repeat(100_000) }
    const first = await fetch(`${router.url}/api/content/text`, request)
    expect([first.status, first.headers.get('retry-after'), await codeOf(first)]).toEqual([503, '1', 'workspace_moving'])
    for (const name of ['carillon-moved-to', 'carillon-moved']) expect(first.headers.get(name)).toBeNull()
    expect((await fetch(`${router.url}/api/content/text`, request)).headers.get('x-cell')).toBe('zero')
  })

  test('two cells that name each other do not make a loop', async () => {
    refuseMoved(seven, 0)
    refuseMoved(zero, 7)
    const response = await fetch(`${router.url}/api/content`, { headers: toSeven() })
    expect([response.status, await codeOf(response)]).toEqual([503, 'workspace_moving'])
  })

  test('a client cannot move a workspace', async () => {
    const id = idOf(7)
    const headers = { 'x-workspace-id': id, 'carillon-moved-to': '0', 'carillon-moved': `${id}=0` }
    expect((await fetch(`${router.url}/api/content`, { headers })).headers.get('x-cell')).toBe('seven')
  })

  /** Guarantee: no request of one workspace changes where the requests of another one go. */
  test('a move that the cell found by a key is followed, and not stored for the id in the path', async () => {
    const victim = idOf(7)
    refuseMoved(seven, 0)
    expect((await fetch(`${router.url}/api/content/${victim}`)).headers.get('x-cell')).toBe('zero')
    expect(router.router.moved).toEqual(new Map())
  })

  test('a workspace header that the client makes the router drop decides nothing', async () => {
    const victim = idOf(7)
    const bytes = `GET /api/content HTTP/1.1\r\nHost: a\r\nX-Workspace-Id: ${victim}\r\nConnection: close, x-workspace-id\r\n\r\n`
    expect(await sendRaw(router.url, bytes)).toMatch(/answer of zero/)
    expect(seven.seen).toEqual([])
  })

  test('a cell that names another workspace than the one that was asked for changes nothing', async () => {
    const [asked, other] = [idOf(7), idOf(7)]
    seven.answer((_request, response) =>
      response.writeHead(421, { 'carillon-moved-to': '0', 'carillon-moved': `${other}=0` }).end('{}'),
    )
    await fetch(`${router.url}/api/content`, { headers: { 'x-workspace-id': asked } })
    expect(router.router.moved).toEqual(new Map())
  })

  test.each([401, 404])('a stored move that answers %i is dropped, and the cell in the id is asked once', async (status) => {
    const id = idOf(7)
    router.router.moved.set(id, 0)
    zero.answer((_request, response) => response.writeHead(status).end())
    const request = { method: 'POST', headers: { 'x-workspace-id': id }, body: '{"a":1}' }
    expect((await fetch(`${router.url}/api/content`, request)).headers.get('x-cell')).toBe('seven')
    expect(seven.seen).toMatchObject([{ body: '{"a":1}' }])
    expect(router.router.moved).toEqual(new Map())
  })

  test('what is not found in the right cell stays not found', async () => {
    const id = idOf(7)
    refuseMoved(seven, 0)
    router.router.moved.set(id, 0)
    zero.answer((_request, response) => response.writeHead(404).end())
    const response = await fetch(`${router.url}/api/content/unknown`, { headers: { 'x-workspace-id': id } })
    expect([response.status, router.router.moved.get(id)]).toEqual([404, 0])
  })
})

describe('guarantee: a browser stays in the cell in which it signed in', () => {
  const session = 'carillon.session_token=t.s'
  const cellSet = (response: Response) => response.headers.getSetCookie().find((cookie) => cookie.startsWith('carillon.cell='))

  test('signing in keeps the browser in the cell for a year', async () => {
    seven.answer((_request, response) => response.setHeader('set-cookie', [session]).end())
    const signIn = (cookie: string) => fetch(`${router.url}/auth/sign-in/email`, { method: 'POST', headers: { cookie } })
    expect(cellSet(await signIn('carillon.cell=7'))).toBe('carillon.cell=7; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax')
  })

  test('signing out does not', async () => {
    const ended = 'carillon.session_token=; Max-Age=0; Path=/'
    seven.answer((_request, response) => response.setHeader('set-cookie', [ended]).end())
    const headers = { cookie: `${session}; carillon.cell=7` }
    expect(cellSet(await fetch(`${router.url}/auth/sign-out`, { method: 'POST', headers }))).toBeUndefined()
  })

  test('a link to another cell takes only a browser with it that is not signed in, until it is closed', async () => {
    expect(cellSet(await fetch(`${router.url}/reset?token=x&cell=7`))).toBe('carillon.cell=7; Path=/; HttpOnly; SameSite=Lax')
    expect(cellSet(await fetch(`${router.url}/reset?token=x&cell=7`, { headers: { cookie: session } }))).toBeUndefined()
  })

  test('a workspace whose cell does not know the session is where the person signs in next', async () => {
    seven.answer((_request, response) => response.writeHead(401).end())
    const headers = { cookie: `${session}; carillon.cell=0` }
    expect(cellSet(await fetch(`${router.url}/api/content`, { headers: { ...headers, ...toSeven() } }))).toMatch(
      /^carillon\.cell=7;/,
    )
    // Another site can only make a person open a link, which has no such header.
    expect(cellSet(await fetch(`${router.url}/api/workspaces/${idOf(7)}`, { headers }))).toBeUndefined()
  })
})

describe('operating it', () => {
  test('accepting is about this process, ready about every cell', async () => {
    expect((await fetch(`${router.url}/health/live`)).status).toBe(200)
    expect((await fetch(`${router.url}/health/accepting`)).status).toBe(200)
    seven.answer((_request, response) => response.writeHead(503).end())
    const ready = await fetch(`${router.url}/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        status: 'not_ready',
        problems: ['Cell 7 is not ready.', 'Cell 8 is not reachable.'],
        cells: { 0: 'ready', 7: 'not_ready', 8: 'unreachable' },
      },
    ])
    router.router.state.isDraining = true
    expect((await fetch(`${router.url}/health/accepting`)).status).toBe(503)
  })

  test('metrics count requests and failures by cell', async () => {
    await fetch(`${router.url}/api/me`, { headers: toSeven() })
    await fetch(`${router.url}/api/me`, { headers: { 'x-workspace-id': idOf(8) } })
    await fetch(`${router.url}/api/me`, { headers: { 'x-workspace-id': idOf(9) } })
    const { text } = await renderRouterMetrics(router.router)
    for (const line of [
      'carillon_router_request_seconds_count{cell="7",status="2xx"} 1',
      'carillon_router_failures_total{cell="8",code="cell_unreachable"} 1',
      'carillon_router_failures_total{cell="none",code="cell_unknown"} 1',
      'carillon_router_failures_total{cell="7",code="cell_no_answer"} 0',
      'carillon_router_cell_up{cell="0"} 1',
      'carillon_router_cell_up{cell="8"} 0',
    ])
      expect(text).toContain(`${line}\n`)
  })

  test('stopping finishes running requests and ends live streams', async () => {
    const running = Promise.withResolvers<void>()
    seven.answer(async (request, response) => {
      if (request.url?.endsWith('/live')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        return
      }
      running.resolve()
      await sleep(500)
      response.end('done')
    })
    const stream = await fetch(`${router.url}/api/workspaces/${idOf(7)}/live`)
    const answer = fetch(`${router.url}/api/me`, { headers: toSeven() })
    await running.promise
    const closing = closeApp(router.app)
    await expect(stream.text()).rejects.toThrow('terminated')
    expect(await (await answer).text()).toBe('done')
    await closing
  })
})
