import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGuideProgram } from '../support/programs/guide-program.ts'
import { openTlsProxy } from '../support/tls-proxy.ts'
import { carillon, testStack } from '../test-stack.ts'

const programs = [
  { file: 'webhook.mjs', command: (file: string) => [process.execPath, file] },
  { file: 'webhook.py', command: (file: string) => ['python3', file] },
  { file: 'webhook.php', command: (file: string, port: number) => ['php', '-S', `127.0.0.1:${port}`, file] },
]

let folder = ''
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-webhook-guide-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Guarantee: each receiver that the guide shows accepts our deliveries, and nothing else. */
test.each(programs)('$file accepts a delivery and refuses a changed, unsigned or old one', async ({ file, command }) => {
  const port = await freePort()
  const { webhookHost: host, webhookTlsCert: certFile, webhookTlsKey: keyFile } = testStack
  const proxy = await openTlsProxy({ host, certFile, keyFile, port })
  const hook = await carillon.webhooks.create({ url: proxy.url, events: ['webhook.test'] })
  const path = join(folder, file)
  await writeFile(path, await readGuideProgram('webhooks', file))
  const receiver = start(command(path, port), { WEBHOOK_SECRET: String(hook.secret), PORT: String(port) })
  await expect.poll(() => post(port, {}, '{}'), { timeout: 10_000 }).toBe(400)

  const first = await carillon.webhooks.test(hook.id)
  await expect.poll(() => statusOf(hook.id, first.id), { timeout: 30_000 }).toBe(204)
  await expect.poll(receiver.output).toContain('webhook.test')

  // After a rotation, the receiver still has the old secret.
  await carillon.webhooks.rotateSecret(hook.id)
  const second = await carillon.webhooks.test(hook.id)
  await expect.poll(() => statusOf(hook.id, second.id), { timeout: 30_000 }).toBe(204)

  const { body, headers } = await signedExample(String(hook.secret))
  expect(await post(port, headers, body)).toBe(204)
  expect(await post(port, headers, body.replace('ring', 'sing'))).toBe(400)
  expect(await post(port, { ...headers, 'webhook-signature': 'v1,AAAA' }, body)).toBe(400)
  expect(await post(port, { ...headers, 'webhook-timestamp': 'soon' }, body)).toBe(400)
  const old = await signedExample(String(hook.secret), Date.now() - 301_000)
  expect(await post(port, old.headers, old.body)).toBe(400)

  proxy.close()
  await carillon.webhooks.remove(hook.id)
})

/** Signs with our own rules, independent of the server's code, for requests that the server would never send. */
async function signedExample(secret: string, atMs = Date.now()): Promise<{ body: string; headers: Record<string, string> }> {
  const [id, time, body] = [
    'one',
    String(Math.floor(atMs / 1000)),
    '{"event":"webhook.test","deliveryId":"one","data":{"bells":"ring"}}',
  ]
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(`${id}.${time}.${body}`))).toString('base64')
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` } }
}

async function statusOf(webhookId: string, deliveryId: string): Promise<number | undefined> {
  return (await carillon.webhooks.deliveries(webhookId)).find(({ id }) => id === deliveryId)?.statusCode
}

/** The status of the receiver's response; 0 while it does not listen. */
async function post(port: number, headers: Record<string, string>, body: string): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 0,
  )
}

function start([program = '', ...args]: readonly string[], env: Record<string, string>): { output: () => string } {
  let output = ''
  const child = spawn(program, args, { env: { ...process.env, ...env } })
  child.on(
    'error',
    (error) => (output += `${program} cannot be started: ${error.message}. .ci/run lists the packages that tests need.`),
  )
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  children.push(child)
  return { output: () => output }
}
