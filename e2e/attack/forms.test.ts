import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureProcess } from '../support/measure-memory.ts'
import { measureSlowness } from '../support/slowness.ts'
import { call } from '../support/call.ts'
import { testStack } from '../test-stack.ts'

/** Guarantee: a body costs little more memory and time than the limits of bodies allow, however it is sent. */
const boundary = 'attack'
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const sendForm = (parts: string) =>
  call('POST /content/photos', {
    raw: new TextEncoder().encode(`${parts}--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  })

/** `tookMs` is there when the server has ended the connection, which may be before its test begins. */
const slowSockets: { socket: Socket; tookMs: Promise<number> }[] = []
beforeAll(async () => {
  const { hostname, port } = new URL(testStack.baseUrl)
  for (const type of ['application/json', `multipart/form-data; boundary=${boundary}`]) {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.resume()
    const head = [
      'POST /api/content/photos HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: Bearer ${testStack.apiKey}`,
      `X-Workspace-Id: ${testStack.workspaceId}`,
      `Content-Type: ${type}`,
      'Content-Length: 100000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const timer = setInterval(() => socket.write(type.startsWith('m') ? '-' : ' '), 1000)
    const begunMs = Date.now()
    const tookMs = once(socket, 'close').then(() => {
      clearInterval(timer)
      return Date.now() - begunMs
    })
    slowSockets.push({ socket, tookMs })
  }
})
afterAll(() => {
  for (const { socket } of slowSockets) socket.destroy()
})

test('forms with large fields are refused without being kept in memory', async () => {
  const mb = 'a'.repeat(1_000_000)
  const unknown = Array.from({ length: 90 }, (_, n) => field(`f${n}`, mb)).join('')
  const known = Array.from({ length: 90 }, () => field('text', mb)).join('')
  const forms = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? unknown : known))
  const { result: replies, extraBytes } = await measureProcess(testStack.pids['Carillon all'] ?? 0, () =>
    Promise.all(forms.map(sendForm)),
  )
  const grownMb = extraBytes / 1e6
  console.log(`20 forms of 90 MB: the service uses ${Math.round(grownMb)} MB more`)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422, 413]))
  expect(replies.find(({ status }) => status === 422)?.error.details).toMatchObject([
    { path: 'f0', message: 'This field is not known here.' },
  ])
  expect(grownMb).toBeLessThan(300)
}, 120_000)

test('a body of unknown fields does not cause a larger answer', async () => {
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, 1]))
  const begunMs = performance.now()
  const reply = await call('POST /content/text', { body: fields })
  console.log(`50,000 unknown fields: answered in ${Math.round(performance.now() - begunMs)} ms with ${reply.text.length} bytes`)
  expect(reply.status).toBe(422)
  expect(reply.text.length).toBeLessThan(100_000)
})

test('a client that sends its body a byte at a time is disconnected', async () => {
  for (const each of slowSockets) {
    const tookMs = await each.tookMs
    console.log(`a slow body was ended after ${Math.round(tookMs / 1000)} s`)
    expect(tookMs).toBeLessThan(130_000 * measureSlowness())
  }
}, 1_000_000)
