import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { answerError } from './answer-error.ts'
import { createBodyWatch } from './create-body-watch.ts'

/** Guarantee: a client that sends its body slowly holds a connection for a limited time, and one that sends a large file may take long. */
const limits = { periodMs: 400, totalMsMax: 1200, bytesPerPeriodMin: 1000 }
/** At 50 ms each, they take longer than any limit. */
const chunks = 60
const opened: { app: FastifyInstance; watch: ReturnType<typeof createBodyWatch> }[] = []
afterEach(async () => {
  for (const { app, watch } of opened.splice(0)) {
    watch.close()
    await app.close()
  }
})

async function openServer(read: (body: AsyncIterable<Buffer>) => Promise<unknown>): Promise<number> {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 1_000_000 })
  app.decorate('publicUrl', 'http://127.0.0.1')
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  const watch = createBodyWatch(Date.now, limits)
  opened.push({ app, watch })
  app.addHook('onRequest', async (request) => watch.watch(request))
  app.addContentTypeParser(['multipart/form-data', 'text/unread'], (_request, _payload, done) => done(null))
  app.post('/json', async () => 'done')
  app.post('/slow', () => sleep(limits.totalMsMax + 4 * limits.periodMs, 'done'))
  app.post('/form', async ({ raw }) => {
    await read(raw)
    return 'done'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Sends the head of a request and then a chunk every 50 ms. Returns the status of the answer, or null if the connection was closed before. */
async function sendSlowly(port: number, { path, type, chunk }: { path: string; type: string; chunk: string }) {
  const socket: Socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  // A connection that the server resets is closed too.
  const closed = once(socket, 'close').catch(() => {})
  const length = chunk.length * chunks
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  )
  for (let sent = 0; sent < chunks && !socket.destroyed; sent++) {
    socket.write(chunk)
    await sleep(50)
  }
  // After its answer, the server closes the connection.
  await closed
  return answer === '' ? null : answer.slice(9, 12)
}

const readAll = async (body: AsyncIterable<Buffer>) => {
  for await (const _ of body);
}

test('a JSON body that takes too long ends the connection', async () => {
  const port = await openServer(readAll)
  expect(await sendSlowly(port, { path: '/json', type: 'application/json', chunk: ' ' })).toBeNull()
})

test('a file that arrives a byte at a time ends the connection', async () => {
  const port = await openServer(readAll)
  expect(await sendSlowly(port, { path: '/form', type: 'multipart/form-data; boundary=x', chunk: 'a' })).toBeNull()
})

test('a file that arrives steadily may take longer than other bodies', async () => {
  const port = await openServer(readAll)
  const chunk = 'a'.repeat(2000)
  expect(await sendSlowly(port, { path: '/form', type: 'multipart/form-data; boundary=x', chunk })).toBe('200')
})

test('a client that waits for us is not disconnected', async () => {
  const port = await openServer(async (body) => {
    for await (const _ of body) await sleep(1200)
  })
  const chunk = 'a'.repeat(200_000)
  const response = await fetch(`http://127.0.0.1:${port}/form`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: chunk,
  })
  expect(response.status).toBe(200)
}, 30_000)

/** Sends the whole body before it reads anything, as simple clients do. */
async function sendBeforeReading(port: number, headers: string, parts: readonly Buffer[]): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const failed = once(socket, 'error').then(([error]: unknown[]) => (error as NodeJS.ErrnoException).code ?? 'error')
  const sent = (async () => {
    socket.write(`POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`)
    for (const part of parts) {
      // A server that closes the connection has the time to do it.
      await sleep(2)
      await new Promise<void>((done) => socket.write(part, () => done()))
    }
    const [data] = (await once(socket, 'data')) as [Buffer]
    return data.toString().slice(9, 12)
  })()
  const result = await Promise.race([sent, failed])
  sent.catch(() => {})
  socket.destroy()
  return result
}

test('a client that sends far more than the limit, and reads afterwards, learns that it was too much', async () => {
  const port = await openServer(readAll)
  const parts = Array.from({ length: 50 }, () => Buffer.alloc(100_000, ' '))
  expect(await sendBeforeReading(port, 'Content-Length: 5000000', parts)).toBe('413')
  const chunk = Buffer.concat([Buffer.from('186a0\r\n'), Buffer.alloc(100_000, ' '), Buffer.from('\r\n')])
  const chunked = [...Array.from({ length: 50 }, () => chunk), Buffer.from('0\r\n\r\n')]
  expect(await sendBeforeReading(port, 'Transfer-Encoding: chunked', chunked)).toBe('413')
})

test('a request that is injected, and that takes long, is ended and nothing else', async () => {
  await openServer(readAll)
  const app = opened.at(-1)?.app
  const headers = { 'content-type': 'text/unread', 'content-length': '0' }
  const answered = app?.inject({ method: 'POST', url: '/slow', headers }).then(({ body }) => body, String)
  await expect(Promise.race([answered, sleep(8 * limits.periodMs, 'nothing')])).resolves.toContain('destroyed')
})
