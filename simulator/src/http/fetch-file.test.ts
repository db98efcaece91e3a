import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { fetchFile } from './fetch-file.ts'

async function fetchFrom(answer: RequestListener) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const file = await fetchFile(`http://127.0.0.1:${address.port}/bell.jpg`, { userAgent: 'Bell/1' })
  server.close()
  return { asked, file }
}

const headers = { 'content-type': 'image/jpeg', 'content-length': '4' }

/** Guarantee: a server that treats the programs of platforms unlike browsers, or HEAD unlike GET, does not pass here. */
test('a file is asked for by HEAD and GET, by name and without cookies', async () => {
  const { asked, file } = await fetchFrom((_request, response) => {
    response.writeHead(200, { ...headers, 'set-cookie': 'a=b' }).end('bell')
  })
  expect(asked.map(({ method, headers: sent }) => [method, sent['user-agent'], sent.cookie])).toEqual([
    ['HEAD', 'Bell/1', undefined],
    ['GET', 'Bell/1', undefined],
  ])
  expect(file).toEqual({ ok: true, mime: 'image/jpeg', bytes: Buffer.from('bell') })
})

test.each([
  ['a store that refuses HEAD is asked by GET', 403, headers, true],
  ['a server that fails for HEAD is not', 500, headers, false],
  ['nor one that knows the file by GET only', 404, headers, false],
  ['nor one that names another size', 200, { ...headers, 'content-length': '5' }, false],
  ['nor one that names another type', 200, { ...headers, 'content-type': 'text/html' }, false],
])('%s', async (_name, status, answered, ok) => {
  const { file } = await fetchFrom(({ method }, response) => {
    if (method === 'HEAD') response.writeHead(status, answered).end()
    else response.writeHead(200, headers).end('bell')
  })
  expect(file.ok).toBe(ok)
})
