import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { testServer } from './connector-test.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const examples = new URL('../../../examples/receivers/', import.meta.url).pathname

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startExample(program: string, file: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'receiver-'))
  const port = await freePort()
  const env = { SECRET: secret, PORT: String(port), FILE: join(dir, 'posts.jsonl'), PATH: process.env['PATH'] ?? '' }
  const child = spawn(program, [join(examples, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill()
    await rm(dir, { recursive: true, force: true })
  })
  await once(child.stdout, 'data')
  const address = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () =>
        fetch(address).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(401)
  return address
}

const hasPython = spawnSync('python3', ['--version']).status === 0
const programs = [
  { program: process.execPath, file: 'receiver.mjs', isThere: true },
  { program: 'python3', file: 'receiver.py', isThere: hasPython },
]

/** Guarantee: whoever starts from one of the examples has a receiver that keeps everything that it declares. */
test.for(programs)(
  'the example $file keeps what the guide asks for',
  { timeout: 60_000 },
  async ({ program, file, isThere }, { skip }) => {
    if (!isThere) skip(`${program} is not installed`)
    const { checks } = await testServer({ address: await startExample(program, file), ownAddress: null, secret })
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([])
    expect(checks.filter(({ state }) => state === 'untold').map(({ name }) => name)).toEqual([
      'an answer to a post is published',
      'figures are told',
      'posts are removed',
    ])
    expect(checks.filter(({ state }) => state === 'held')).toHaveLength(13)
  },
)

/** Guarantee: the mistakes that lead to forged or doubled posts are found. */
test('a receiver that checks nothing and remembers nothing fails', async () => {
  let posts = 0
  const address = await listen((request, response) => {
    void buffer(request).then(() => {
      const body = request.method === 'GET' ? { carillon: 1, keys: true, text: { max: 100 } } : { postId: String(++posts) }
      response.end(JSON.stringify(body))
    })
  })
  const { checks } = await testServer({ address, ownAddress: null, secret })
  expect(checks.filter(({ state }) => state === 'failed').map(({ name }) => name)).toEqual([
    'a wrong signature is refused',
    'an old timestamp is refused',
    'a timestamp of the future is refused',
    'a body that was changed on its way is refused',
    'a repeated key is answered with the same post',
    'one key in two requests at once makes one post',
    'a post is found by its key',
    'a key that was never sent is not known',
    'a text beyond the declared limit is refused',
  ])
})

test('what is no receiver ends the test at once, with a sentence', async () => {
  const address = await listen((_, response) => response.end('<!doctype html>'))
  const { checks } = await testServer({ address, ownAddress: null, secret })
  expect(checks).toMatchObject([{ name: 'GET answers with a declaration', state: 'failed', said: expect.stringMatching(/\.$/) }])
  await expect(testServer({ address: 'intranet', ownAddress: null, secret })).rejects.toThrow('is no address')
  await expect(testServer({ address, ownAddress: null, secret: '' })).rejects.toThrow('standard input')
})
