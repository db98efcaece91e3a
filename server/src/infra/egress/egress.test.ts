import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Agent, request as bareRequest } from 'undici'
import { describe, expect, test } from 'vitest'
import { parseAllow } from './address.ts'
import { blockedHosts } from './blocked-hosts.fixture.ts'
import { openCanary } from './canary.fixture.ts'
import { createEgress } from './egress.ts'
import type { EgressOptions, EgressReply, EgressRequest } from './egress.ts'
import { EgressError } from './egress-error.ts'
import { guardedConnector } from './guarded-connector.ts'
import type { Lookup } from './guard-url.ts'

const closed = parseAllow('')
const opened = parseAllow('127.0.0.1')
const hello: RequestListener = (_, response) => response.end('hello')

type RequestScope = Partial<EgressRequest> & { url: string }

async function send(options: EgressOptions, ...scope: RequestScope[]): Promise<(EgressReply | EgressError)[]> {
  const egress = createEgress({ connectTimeoutMs: 1_000, ...options })
  const replies: (EgressReply | EgressError)[] = []
  for (const one of scope) {
    try {
      replies.push(await egress.request({ method: 'GET', timeoutMs: 2_000, bytesMax: 65_536, https: false, ...one }))
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      replies.push(error)
    }
  }
  await egress.close()
  return replies
}

/** A name server that answers from a script, one line a question; the last line stays. */
function script(...lines: string[][]): Lookup & { scope(): number } {
  let scope = 0
  const lookup = async () => {
    const line = lines[Math.min(scope, lines.length - 1)] ?? []
    scope++
    return line
  }
  return Object.assign(lookup, { scope: () => scope })
}

describe('guarantee: what leads inside is never connected to', () => {
  test.each(blockedHosts)('%s', async (host) => {
    await using four = await openCanary(hello, { host: '0.0.0.0' })
    await using six = await openCanary(hello, { host: '::1', port: four.port })
    const lookup = script(['127.0.0.1', '::1'])
    const url = `http://${host}:${four.port}/`
    expect(await send({ allow: closed, lookup }, { url }, { url, method: 'POST', body: 'x' })).toMatchObject([
      { code: 'blocked_address', sent: false },
      { code: 'blocked_address', sent: false },
    ])
    expect([four.connections(), six.connections()]).toEqual([0, 0])
  })

  test.each([
    'http://ok@127.0.0.1',
    'https://[example.com]',
    'http://[fe80::1%eth0]/',
    'http://localhost./',
    'http://a.example:6379/',
  ])('%s is refused for its form', async (url) => {
    const lookup = script(['127.0.0.1'])
    expect(await send({ allow: closed, lookup }, { url })).toMatchObject([{ code: 'bad_url', sent: false }])
    expect(lookup.scope()).toBe(0)
  })

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['1.1.1.1', '127.0.0.1']],
    [['127.0.0.1', '1.1.1.1']],
    [['fe80::1%lo']],
    [[]],
  ])('a name that answers %j', async (answers) => {
    await using canary = await openCanary(hello, { host: '::' })
    const lookup = script(answers)
    expect(await send({ allow: closed, lookup }, { url: 'http://inside.example/' })).toMatchObject([
      { code: 'blocked_address', sent: false },
    ])
    expect(canary.connections()).toBe(0)
  })

  test('a literal is judged by the connector too, for which undici asks no lookup', async () => {
    await using canary = await openCanary(hello, { host: '::' })
    const lookup = script(['1.1.1.1'])
    const dispatcher = new Agent({
      connect: guardedConnector({ allow: closed, lookup, connectTimeoutMs: 500, plainOutside: true }),
    })
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]']) {
      await expect(bareRequest(`http://${host}:${canary.port}/`, { dispatcher })).rejects.toMatchObject({
        code: 'blocked_address',
      })
    }
    await dispatcher.close()
    expect(canary.connections()).toBe(0)
  })

  test('a name that is not found goes nowhere', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
    expect(await send({ allow: closed, lookup }, { url: 'http://nowhere.example/' })).toMatchObject([
      { code: 'connect', sent: false },
    ])
  })
})

describe('rebinding', () => {
  test('the answer that was checked is the one connected to, and a new connection is checked again', async () => {
    await using good = await openCanary((_, response) => response.setHeader('connection', 'close').end('hello'))
    await using inside = await openCanary(hello, { host: '127.0.0.2', port: good.port })
    const lookup = script(['127.0.0.1'], ['127.0.0.2'])
    const url = `http://rebind.example:${good.port}/`
    expect(await send({ allow: opened, lookup }, { url }, { url })).toMatchObject([{ status: 200 }, { code: 'blocked_address' }])
    expect([good.requests(), inside.connections(), lookup.scope()]).toEqual([1, 0, 2])
  })

  test('public when saved, private when sent', async () => {
    const lookup = script(['1.1.1.1'], ['127.0.0.1'])
    const egress = createEgress({ allow: closed, lookup })
    expect(await egress.checkUrl('https://rebind.example/', { https: true })).toMatchObject({ ok: true })
    const request = { method: 'POST', url: 'https://rebind.example/', timeoutMs: 1_000, bytesMax: 10, https: true }
    await expect(egress.request(request)).rejects.toMatchObject({ code: 'blocked_address', sent: false })
    await egress.close()
  })
})

describe('redirects', () => {
  const to =
    (location: string, status: number): RequestListener =>
    (_, response) =>
      response.writeHead(status, { location: encodeURI(location).replace('%5B', '[').replace('%5D', ']') }).end()

  test.each([302, 307, 308])('%i is the answer itself unless following was asked for', async (status) => {
    await using inside = await openCanary(hello, { host: '127.0.0.2' })
    await using canary = await openCanary(to(inside.url('/'), status))
    expect(await send({ allow: opened }, { url: canary.url('/') }, { url: canary.url('/'), redirects: 3 })).toMatchObject([
      { status, headers: { location: inside.url('/') } },
      { code: 'blocked_address' },
    ])
    expect(inside.connections()).toBe(0)
  })

  test.each(['file:///etc/passwd', 'gopher://127.0.0.1/', 'http://', 'http://a:b@127.0.0.1/'])('to %s', async (location) => {
    await using canary = await openCanary(to(location, 302))
    expect(await send({ allow: opened }, { url: canary.url('/'), redirects: 3 })).toMatchObject([{ code: 'bad_url' }])
  })

  test.each(blockedHosts)('to %s', async (host) => {
    await using inside = await openCanary(hello)
    await using canary = await openCanary(to(`http://${host}:${inside.port}/`, 307), { host: '127.0.0.2' })
    const replies = await send({ allow: parseAllow('127.0.0.2') }, { url: canary.url('/'), redirects: 1 })
    expect(replies).toMatchObject([{ code: 'blocked_address' }])
    expect([canary.requests(), inside.connections()]).toEqual([1, 0])
  })

  test('are followed by hand, at most as many as asked for, and lose the token at another origin', async () => {
    const seen: (string | undefined)[] = []
    await using other = await openCanary((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization ?? 'none'}`)
      response.end('there')
    })
    await using canary = await openCanary((request, response) => {
      const next = { '/': '/two', '/two': other.url('/three') }[request.url ?? ''] ?? '/loop'
      seen.push(`${request.method} ${request.headers.authorization ?? 'none'}`)
      response.writeHead(303, { location: next }).end()
    })
    const scope = { url: canary.url('/'), method: 'POST', body: 'x', headers: { Authorization: 'secret' }, redirects: 3 } as const
    const [reply, loop] = await send({ allow: opened }, scope, { url: canary.url('/loop'), redirects: 2 })
    expect(reply).toMatchObject({ status: 200, url: other.url('/three'), body: Buffer.from('there') })
    expect(seen.slice(0, 3)).toEqual(['POST secret', 'GET secret', 'GET none'])
    expect(loop).toMatchObject({ code: 'network' })
    expect(canary.requests()).toBe(5)
  })

  test('a redirect whose body never ends does not hold us up', async () => {
    await using canary = await openCanary((request, response) => {
      if (request.url === '/end') response.end('end')
      else response.writeHead(302, { location: '/end' }).write('x')
    })
    expect(await send({ allow: opened }, { url: canary.url('/'), redirects: 1, timeoutMs: 1_000 })).toMatchObject([
      { status: 200 },
    ])
  })
})

describe('bodies and time', () => {
  const endless: RequestListener = (_, response) => {
    const chunk = Buffer.alloc(65_536, 'x')
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', pour)
    pour()
  }
  const drip: RequestListener = (_, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  }

  test('an endless body is cut or refused at the limit', async () => {
    await using canary = await openCanary(endless)
    const url = canary.url('/')
    const [cut, refused] = await send({ allow: opened }, { url, overflow: 'cut', bytesMax: 1000 }, { url, bytesMax: 1000 })
    expect(cut).toMatchObject({ status: 200, truncated: true, body: { length: 1000 } })
    expect(refused).toMatchObject({ code: 'too_large', sent: true })
  })

  test('a body of exactly the limit is whole', async () => {
    await using canary = await openCanary((_, response) => response.end('x'.repeat(1000)))
    const url = canary.url('/')
    const [whole, refused] = await send({ allow: opened }, { url, bytesMax: 1000 }, { url, bytesMax: 999 })
    expect(whole).toMatchObject({ truncated: false, body: { length: 1000 } })
    expect(refused).toMatchObject({ code: 'too_large' })
  })

  test('a slow drip ends with the time limit', async () => {
    await using canary = await openCanary(drip)
    const url = canary.url('/')
    // Without the limit, the drip has no end.
    const [cut, refused] = await send({ allow: opened }, { url, overflow: 'cut', timeoutMs: 300 }, { url, timeoutMs: 300 })
    expect(cut).toMatchObject({ status: 200, truncated: true })
    expect(refused).toMatchObject({ code: 'timeout', sent: true })
  })

  test('silence ends with the time limit, and what was sent may have been acted on', async () => {
    await using canary = await openCanary(() => {})
    expect(await send({ allow: opened }, { url: canary.url('/'), timeoutMs: 200 })).toMatchObject([
      { code: 'timeout', sent: true },
    ])
  })

  test('a gzip bomb stays folded', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    await using canary = await openCanary((request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'x-asked': request.headers['accept-encoding'] }).end(bomb)
    })
    const url = canary.url('/')
    const [small, whole] = await send({ allow: opened }, { url, bytesMax: 1000, overflow: 'cut' }, { url, bytesMax: 100_000 })
    expect(small).toMatchObject({ truncated: true, body: { length: 1000 }, headers: { 'x-asked': 'identity' } })
    expect(whole).toMatchObject({ truncated: false, body: { length: bomb.length } })
  })

  test('oversize headers are refused', async () => {
    await using canary = await openCanary((_, response) => response.setHeader('x-large', 'x'.repeat(100_000)).end())
    expect(await send({ allow: opened }, { url: canary.url('/') })).toMatchObject([{ code: 'too_large', sent: true }])
  })

  test('a connection that breaks off after the request is of unknown outcome', async () => {
    await using canary = await openCanary((request) => request.socket.destroy())
    expect(await send({ allow: opened }, { url: canary.url('/') })).toMatchObject([{ code: 'network', sent: true }])
  })

  test('a refused connection is certain: nothing was sent', async () => {
    const canary = await openCanary(hello)
    await canary[Symbol.asyncDispose]()
    expect(await send({ allow: opened }, { url: canary.url('/') })).toMatchObject([{ code: 'connect', sent: false }])
  })
})

test('127.0.0.1 works only when it is opened', async () => {
  await using canary = await openCanary((request, response) => response.end(request.headers.host))
  const url = canary.url('/')
  expect(await send({ allow: opened }, { url })).toMatchObject([{ status: 200, body: Buffer.from(`127.0.0.1:${canary.port}`) }])
  expect(await send({ allow: parseAllow('10.0.0.0/8') }, { url })).toMatchObject([{ code: 'blocked_address' }])
  expect(await send({ allow: opened }, { url, https: true })).toMatchObject([{ code: 'bad_url' }])
  expect(canary.connections()).toBe(1)
})
