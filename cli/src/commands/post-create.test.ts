import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, '../main.ts')
const accounts = [{ id: '1', slug: 'tower', platform: 'a', displayName: 'Tower', handle: '@tower', status: 'active' }]

/** Answers the list of accounts, and loses the answer to every other request. */
async function startServer() {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, data: accounts }))
      return
    }
    keys.push(request.headers['idempotency-key'])
    request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function create(url: string, ...more: string[]): Promise<{ code: unknown; err: string }> {
  const env = { PATH: process.env['PATH'] ?? '', CARILLON_URL: url, CARILLON_API_KEY: 'sk_1', CARILLON_WORKSPACE_ID: '2' }
  const args = [program, 'post', 'create', 'Hello', '--to', 'tower', ...more]
  return new Promise((resolve) =>
    execFile(process.execPath, args, { env }, (error, _out, err) => resolve({ code: error?.code ?? 0, err })),
  )
}

/** Guarantee: a command that is repeated with the key of a lost answer makes no second post. */
test('the key is printed, all attempts have it, and a repeated command sends the same', async () => {
  await using server = await startServer()
  const first = await create(server.url)
  expect(first).toMatchObject({ code: 4, err: expect.stringContaining('It is not known whether') })
  const key = /^Idempotency key: (\S+)$/m.exec(first.err)?.[1]
  expect(server.keys.length).toBeGreaterThan(1)
  await create(server.url, '--idempotency-key', key ?? '')
  expect(new Set(server.keys)).toEqual(new Set([key]))
})
