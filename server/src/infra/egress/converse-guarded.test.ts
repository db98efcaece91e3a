import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { NotConnected, type Conversation } from '@carillon/connectors/kit'
import { expect, test, vi } from 'vitest'
import { parseAllow } from './address.ts'
import { EgressError } from './egress-error.ts'
import { createTransport } from './transport.ts'

const opened = parseAllow('127.0.0.1')
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The smallest server of WebSockets: it opens one, and leaves the socket to the test. */
async function openTalker(serve: (socket: Duplex) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((_, response) => response.writeHead(403).end('<!doctype html>'))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.on('upgrade', ({ headers, url }, socket) => {
    if (url === '/refused') return void socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n')
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${magic}`).digest('base64')
    const head = [
      'HTTP/1.1 101 Switching Protocols',
      'upgrade: websocket',
      'connection: upgrade',
      `sec-websocket-accept: ${accept}`,
    ]
    // It does not close by itself, and notes when the other side has.
    socket.on('end', () => socket.destroy())
    socket.resume()
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => sockets.size,
    open: () => [...sockets].filter(({ destroyed }) => !destroyed).length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A text as a server sends it: not masked. */
function frame(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(10)
  head.writeUInt8(0x81, 0)
  head.writeUInt8(127, 1)
  head.writeBigUInt64BE(BigInt(body.length), 2)
  return Buffer.concat([head, body])
}

const untilEnd: Conversation = { opening: ['["ding"]'], next: (message) => (message === '["end"]' ? 'end' : []) }
const call = { method: 'POST', headers: {}, body: null, timeoutMs: 1000, conversation: untilEnd }

test('what is heard until the end is the answer, and the socket is given back though the other side never closes', async () => {
  await using talker = await openTalker((socket) => {
    socket.once('data', () => socket.write(Buffer.concat([frame('["dong"]'), frame('["end"]'), frame('["after"]')])))
  })
  const transport = createTransport({ allow: opened, connectionsMax: 1 })
  const replies = await Promise.all([1, 2].map(() => transport({ ...call, url: talker.url })))
  for (const reply of replies) expect(await reply.text(100)).toBe('[["dong"],["end"]]')
  await expect(replies[0]?.text(3)).rejects.toMatchObject({ code: 'too_large' })
  await vi.waitFor(() => expect(talker.open()).toBe(0), { timeout: 5000 })
  await transport.close()
})

/** Guarantee: a WebSocket opens no way inside that a request does not have. */
test('addresses that are not public are refused before a socket is opened', async () => {
  await using talker = await openTalker(() => {})
  const strict = createTransport({ allow: parseAllow(''), connectionsMax: 1 })
  const named = createTransport({ allow: parseAllow(''), connectionsMax: 1, lookup: async () => ['127.0.0.1'] })
  const plain = createTransport({ allow: opened, connectionsMax: 1, lookup: async () => ['1.1.1.1'] })
  const port = new URL(talker.url).port
  await expect(strict({ ...call, url: talker.url })).rejects.toBeInstanceOf(NotConnected)
  await expect(strict({ ...call, url: 'https://169.254.169.254/' })).rejects.toBeInstanceOf(NotConnected)
  await expect(named({ ...call, url: 'https://relay.example/' })).rejects.toMatchObject({
    cause: { code: 'blocked_address' },
  })
  await expect(plain({ ...call, url: 'http://relay.example/' })).rejects.toBeInstanceOf(NotConnected)
  await expect(plain({ ...call, url: `ws://127.0.0.1:${port}/` })).rejects.toBeInstanceOf(NotConnected)
  expect(talker.connections()).toBe(0)
})

test('NotConnected means that nothing was said: refused, silent, or withdrawn', async () => {
  const heard = vi.fn<(data: Buffer) => void>()
  await using talker = await openTalker((socket) => socket.on('data', heard))
  await using mute = await openTalker(() => {})
  const transport = createTransport({ allow: opened, connectionsMax: 1 })
  const reason = new Error('the lease has ended')
  const beforeWrite = () => {
    throw reason
  }
  await expect(transport({ ...call, url: `${talker.url}/refused` })).rejects.toBeInstanceOf(NotConnected)
  await expect(transport({ ...call, url: 'http://127.0.0.1:9/' })).rejects.toBeInstanceOf(NotConnected)
  await expect(transport({ ...call, url: talker.url, beforeWrite })).rejects.toMatchObject({ cause: reason })
  // What was said and not answered is lost.
  const lost = await transport({ ...call, url: mute.url }).catch((error: unknown) => error)
  expect(lost).not.toBeInstanceOf(NotConnected)
  await vi.waitFor(() => expect(talker.open() + mute.open()).toBe(0), { timeout: 5000 })
  // The end of the socket may be said; the message is not.
  expect(Buffer.concat(heard.mock.calls.map(([data]) => data)).length).toBeLessThan(10)
})

const floods: Record<string, (socket: Duplex) => void> = {
  'one large message': (socket) => socket.write(frame('x'.repeat(3_000_000))),
  'many small ones': (socket) => {
    for (let n = 0; n < 3000; n++) socket.write(frame(`["${'x'.repeat(1000)}"]`))
  },
  'a message that promises a terabyte': (socket) => {
    const head = Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0])
    socket.write(head)
    for (let n = 0; n < 30; n++) socket.write(Buffer.alloc(100_000, 'x'))
  },
  'bytes that are no text': (socket) => socket.write(Buffer.from([0x82, 1, 0])),
}

test.each(Object.keys(floods))('a server that sends %s is left', async (name) => {
  await using talker = await openTalker((socket) => floods[name]?.(socket))
  const transport = createTransport({ allow: opened, connectionsMax: 1 })
  const ended = await transport({ ...call, url: talker.url, timeoutMs: 5000 }).catch((error: unknown) => error)
  expect(ended).toBeInstanceOf(Error)
  await vi.waitFor(() => expect(talker.open()).toBe(0), { timeout: 5000 })
  await transport.close()
})

test('a connection that breaks off tells the health of the server', async () => {
  await using talker = await openTalker((socket) => socket.once('data', () => socket.destroy()))
  const transport = createTransport({ allow: opened, connectionsMax: 1 })
  const lost = await transport({ ...call, url: talker.url }).catch((error: unknown) => error)
  expect(lost).not.toBeInstanceOf(NotConnected)
  expect(lost).toMatchObject({ cause: expect.any(EgressError) })
  await transport.close()
})
