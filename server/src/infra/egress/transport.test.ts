import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { NotConnected } from '@carillon/connectors/kit'
import { describe, expect, test, vi } from 'vitest'
import { parseAllow } from './address.ts'
import { openCanary } from './canary.fixture.ts'
import { createEgress } from './egress.ts'
import { EgressError } from './egress-error.ts'
import { createTransport } from './transport.ts'

const opened = parseAllow('127.0.0.1')
const call = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x', timeoutMs: 2_000 }

describe('what is sent and what comes back', () => {
  test('method, headers, body, status and lowercase headers', async () => {
    await using canary = await openCanary((request, response) => {
      request.setEncoding('utf8')
      let body = ''
      request.on('data', (chunk: string) => (body += chunk))
      request.on('end', () =>
        response.writeHead(201, { 'X-Seen': `${request.method} ${request.headers['content-type']}` }).end(body),
      )
    })
    const transport = createTransport({ allow: opened, connectionsMax: 4 })
    const streamed = new Blob(['stre', 'amed']).stream()
    for (const [body, text] of [
      ['ding', 'ding'],
      [Buffer.from('dong'), 'dong'],
      [streamed, 'streamed'],
      [null, ''],
    ] as const) {
      const reply = await transport({ ...call, url: canary.url('/'), body })
      expect(reply).toMatchObject({ status: 201, headers: { 'x-seen': 'POST text/plain' } })
      expect(await reply.text(1000)).toBe(text)
    }
    await transport.close()
    expect(canary.connections()).toBeLessThanOrEqual(2)
  })

  test('a body beyond the reader’s limit is refused, asked for early or late', async () => {
    await using canary = await openCanary((request, response) =>
      response.end('x'.repeat(request.url === '/huge' ? 10_000_000 : 2_000)),
    )
    const transport = createTransport({ allow: opened, connectionsMax: 1 })
    for (const path of ['/', '/huge']) {
      const reply = await transport({ ...call, url: canary.url(path) })
      await new Promise((resolve) => setTimeout(resolve, 50))
      await expect(reply.text(1_000)).rejects.toMatchObject({ code: 'too_large' })
    }
    const huge = await transport({ ...call, url: canary.url('/huge') })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await huge.text(10_000_000)).toHaveLength(10_000_000)
    await transport.close()
  })
})

describe('guarantee: NotConnected means certainly not sent', () => {
  test('refused, blocked, ill-formed, or plain HTTP outside the opened networks', async () => {
    const gone = await openCanary(() => {})
    await gone[Symbol.asyncDispose]()
    await using canary = await openCanary((_, response) => response.end())
    const transport = createTransport({ allow: opened, connectionsMax: 1, lookup: async () => ['1.1.1.1'] })
    const strict = createTransport({ allow: parseAllow(''), connectionsMax: 1 })
    for (const url of [gone.url('/'), 'https://10.0.0.1/', 'http://a.example/', 'https://a.example:22/', 'nonsense']) {
      await expect(transport({ ...call, url })).rejects.toBeInstanceOf(NotConnected)
    }
    await expect(strict({ ...call, url: canary.url('/') })).rejects.toBeInstanceOf(NotConnected)
    await Promise.all([transport.close(), strict.close()])
    expect(canary.connections()).toBe(0)
  })

  test('a call that ran out of time waiting for a socket is never sent afterwards', async () => {
    await using canary = await openCanary((_, response) => setTimeout(() => response.end(), 400))
    const transport = createTransport({ allow: opened, connectionsMax: 1 })
    const first = transport({ ...call, url: canary.url('/') })
    const second = transport({ ...call, url: canary.url('/'), timeoutMs: 100 })
    await expect(second).rejects.toBeInstanceOf(NotConnected)
    expect((await first).status).toBe(200)
    expect((await transport({ ...call, url: canary.url('/') })).status).toBe(200)
    await transport.close()
    expect(canary.requests()).toBe(2)
  })

  test('a lost answer is not that', async () => {
    await using canary = await openCanary((request) => {
      if (request.url === '/drop') request.socket.destroy()
    })
    const transport = createTransport({ allow: opened, connectionsMax: 2 })
    for (const path of ['/drop', '/silence']) {
      const lost = await transport({ ...call, url: canary.url(path), timeoutMs: 200 }).catch((error: unknown) => error)
      expect(lost).toBeInstanceOf(EgressError)
      expect(lost).toMatchObject({ sent: true })
    }
    await transport.close()
  })
})

describe('guarantee: `beforeWrite` is checked last, before a request is written', () => {
  test('a request that waited for a socket while the callback turned to refusing is not sent', async () => {
    await using canary = await openCanary((_, response) => setTimeout(() => response.end(), 200))
    const transport = createTransport({ allow: opened, connectionsMax: 1 })
    const reason = new Error('the lease has ended')
    let isRefusing = false
    const beforeWrite = () => {
      if (isRefusing) throw reason
    }
    const first = transport({ ...call, url: canary.url('/'), beforeWrite })
    const waiting = ['x', new Blob(['streamed']).stream()].map((body) =>
      transport({ ...call, url: canary.url('/'), body, beforeWrite }).catch((error: unknown) => error),
    )
    await vi.waitFor(() => expect(canary.requests()).toBe(1))
    isRefusing = true
    for (const refused of await Promise.all(waiting)) {
      expect(refused).toBeInstanceOf(NotConnected)
      expect(refused).toMatchObject({ cause: { name: 'EgressError', code: 'withdrawn', sent: false, cause: reason } })
    }
    expect((await first).status).toBe(200)
    // The socket is still usable.
    expect((await transport({ ...call, url: canary.url('/') })).status).toBe(200)
    await transport.close()
    expect(canary.requests()).toBe(2)
  })

  test('it is called once for each request, when the socket is open and before the platform has received anything', async () => {
    await using canary = await openCanary((_, response) => response.end('ok'))
    const transport = createTransport({ allow: opened, connectionsMax: 1 })
    const calls: { requests: number; connections: number }[] = []
    const beforeWrite = () => void calls.push({ requests: canary.requests(), connections: canary.connections() })
    for (const body of ['x', new Blob(['streamed']).stream(), null]) {
      const reply = await transport({ ...call, url: canary.url('/'), body, beforeWrite })
      expect([reply.status, await reply.text(10)]).toEqual([200, 'ok'])
    }
    await transport.close()
    expect(calls.map(({ requests }) => requests)).toEqual([0, 1, 2])
    expect(canary.requests()).toBe(3)
  })

  test('it is not called when there is no connection, and it distinguishes a lost answer from a request that was never written', async () => {
    const gone = await openCanary(() => {})
    await gone[Symbol.asyncDispose]()
    await using canary = await openCanary((request) => request.socket.destroy())
    const transport = createTransport({ allow: opened, connectionsMax: 1 })
    let isSent = false
    const beforeWrite = () => {
      isSent = true
    }
    await expect(transport({ ...call, url: gone.url('/'), beforeWrite })).rejects.toBeInstanceOf(NotConnected)
    expect(isSent).toBe(false)
    await expect(transport({ ...call, url: canary.url('/'), beforeWrite })).rejects.toMatchObject({ sent: true })
    expect(isSent).toBe(true)
    await transport.close()
  })
})

test('a burst of ten thousand calls is answered once each over the sockets it was given', async () => {
  await using canary = await openCanary((_, response) => response.end('ok'))
  const transport = createTransport({ allow: opened, connectionsMax: 64 })
  const replies = await Promise.all(
    Array.from({ length: 10_000 }, async () => (await transport({ ...call, url: canary.url('/'), timeoutMs: 30_000 })).text(10)),
  )
  await transport.close()
  expect(new Set(replies)).toEqual(new Set(['ok']))
  expect(canary.requests()).toBe(10_000)
  expect(canary.connections()).toBeLessThanOrEqual(64)
}, 40_000)

describe('TLS', () => {
  test('the certificate is checked against the name, and the name is kept in SNI and Host', async () => {
    const tls = certificateFor('bell.example')
    const seen: string[] = []
    await using canary = await openCanary(
      (request, response) => {
        const name = request.socket instanceof TLSSocket ? request.socket.servername : 'no TLS'
        seen.push(`${name} ${request.headers.host}`)
        response.end('ok')
      },
      { tls },
    )
    const lookup = async () => ['127.0.0.1']
    const scope = { method: 'GET', timeoutMs: 2_000, bytesMax: 100, https: true }
    const trusting = createEgress({ allow: opened, lookup, ca: tls.cert })
    const doubting = createEgress({ allow: opened, lookup })
    const url = `https://bell.example:${canary.port}/`
    expect((await trusting.request({ ...scope, url })).body.toString()).toBe('ok')
    await expect(trusting.request({ ...scope, url: `https://other.example:${canary.port}/` })).rejects.toMatchObject({
      code: 'tls',
      sent: false,
    })
    await expect(doubting.request({ ...scope, url })).rejects.toMatchObject({ code: 'tls', sent: false })
    await Promise.all([trusting.close(), doubting.close()])
    expect(seen).toEqual([`bell.example bell.example:${canary.port}`])
  })
})

function certificateFor(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'egress-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const newKey = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
    '-keyout',
    key,
    '-out',
    cert,
  ]
  try {
    execFileSync('openssl', ['req', '-x509', ...newKey, ...subject], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
