import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { answerError } from '../../../infra/http/answer-error.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { readForm, withForms, type CheckPart } from './read-form.ts'

/** Guarantee: a form occupies little more memory than its fields may have together, and ends at the first part that is not wanted. */
let app: FastifyInstance
afterEach(() => app.close())

const onlyKnown: CheckPart = ({ fieldname }) =>
  ['text', 'medias[]'].includes(fieldname)
    ? null
    : problem('request_invalid', { details: [{ path: fieldname, message: 'Unknown.' }] })

async function open(check: CheckPart = onlyKnown, betweenMs = 0): Promise<{ url: string; port: number; received: string[] }> {
  const received: string[] = []
  app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(answerError)
  withForms(app, (scope) => {
    scope.post('/form', async (request) => {
      for await (const part of readForm(request, check)) {
        if (part.type === 'file') received.push(`${part.filename} ${(await buffer(part.file)).length}`)
        else received.push(`${part.fieldname}=${part.value.length}`)
        await new Promise((resolve) => setTimeout(resolve, betweenMs))
      }
      return { success: true }
    })
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `${url}/form`, port: Number(new URL(url).port), received }
}

const boundary = 'limit'
const type = `multipart/form-data; boundary=${boundary}`
const head = (name: string, more = '') => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
const field = (name: string, value: string) => `${head(name)}${value}\r\n`
const file = (name: string, bytes: number) => `${head('medias[]', `; filename="${name}"`)}${'x'.repeat(bytes)}\r\n`
const end = `--${boundary}--\r\n`

function post(url: string, ...parts: string[]): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': type }, body: parts.join('') + end })
}
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code

test('parts arrive in order, fields and files', async () => {
  const { url, received } = await open()
  const answer = await post(url, field('text', 'hello'), file('a.png', 300_000), field('text', ''), file('b.png', 0))
  expect([answer.status, received]).toEqual([200, ['text=5', 'a.png 300000', 'text=0', 'b.png 0']])
})

test('a field that is not known is refused before its content arrives', async () => {
  const { port } = await open()
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 100000000\r\n\r\n${head('unknown')}${'a'.repeat(100)}`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 422/)
  socket.destroy()
})

test('fields that are too large together are refused', async () => {
  const { url, received } = await open()
  const answer = await post(url, ...Array.from({ length: 30 }, () => field('text', 'a'.repeat(90_000))))
  expect([answer.status, await codeOf(answer)]).toEqual([413, 'body_too_large'])
  expect(received.length).toBeLessThan(12)
})

test('fields are counted also while an earlier file is handled', async () => {
  const { url, received } = await open(onlyKnown, 3000)
  const answer = await post(url, file('a.png', 10), ...Array.from({ length: 20 }, () => field('text', 'a'.repeat(900_000))))
  expect([answer.status, received]).toEqual([413, ['a.png 10']])
})

test('one field that is too large is refused', async () => {
  const { url } = await open()
  expect((await post(url, field('text', 'a'.repeat(1_500_000)))).status).toBe(413)
})

test.each([
  ['too many fields', Array.from({ length: 150 }, () => field('text', 'a')).join('')],
  ['too many files', Array.from({ length: 60 }, (_, n) => file(`${n}.png`, 1)).join('')],
  ['a form that ends inside a part', file('a.png', 10).slice(0, -20)],
])('%s is refused', async (_what, parts) => {
  const { url } = await open()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type },
    body: parts + (parts.includes('Content') ? '' : end),
  })
  expect([response.status, await codeOf(response)]).toEqual([400, 'bad_request'])
})

test('a client that disconnects ends the form', async () => {
  const { port, received } = await open()
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${field('text', 'a')}${head('text')}${'a'.repeat(100)}`,
  )
  await expect.poll(() => received).toEqual(['text=1'])
  socket.destroy()
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))).toBe(0)
})

test('another content type is refused', async () => {
  const { url } = await open()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from('a')) as never,
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(415)
})
