import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccount } from '@carillon/stack'
import { expect, onTestFinished, test } from 'vitest'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const example = new URL('../../examples/receivers/receiver.mjs', import.meta.url).pathname

const connect = (body: object) => sendRequest('POST', '/integrations/http/password', { body })

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the example of the guide as a person would, and reads what it keeps. */
async function startReceiver() {
  const dir = await mkdtemp(join(tmpdir(), 'receiver-'))
  const file = join(dir, 'posts.jsonl')
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  const port = await freePort()
  const env = { SECRET: secret, PORT: String(port), FILE: file }
  const child = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill()
    await rm(dir, { recursive: true, force: true })
  })
  await once(child.stdout, 'data')
  const posts = async () =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  return { secret, address: `http://127.0.0.1:${port}`, posts }
}

test('guarantee: a receiver of one’s own is connected by its address and secret, and gets texts, and files with alt text', async () => {
  const { secret, address, posts } = await startReceiver()
  const made = await connect({ fields: { secret }, instanceUrl: address })
  expect(made).toMatchObject({ data: { platform: 'http', displayName: 'Example in Node', instanceUrl: address } })
  expect(JSON.stringify(made)).not.toContain(secret.slice('whsec_'.length))
  const connections = [textAt(made.data, 'slug')]

  const text = uniqueText('hello, intranet')
  const first = await waitUntilFinished((await carillon.content.createText({ connections, text })).uploadId)
  expect(first).toMatchObject({
    status: 'completed',
    channels: [{ result: { status: 'success', postId: '1', postUrl: `${address}/posts/1` } }],
  })
  const bytes = makePng(7)
  const media = await uploadMedia(bytes, 'bell.png')
  const caption = uniqueText('with a bell')
  const photo = await carillon.content.createPhotos({
    connections,
    text: caption,
    medias: [media.id],
    mediaOptions: [{ alt: 'A bronze bell' }],
  })
  expect(await waitUntilFinished(photo.uploadId)).toMatchObject({ status: 'completed' })
  expect(await posts()).toMatchObject([
    { text, media: [] },
    { text: caption, media: [{ alt: 'A bronze bell', mimeType: 'image/png', sizeBytes: bytes.length }] },
  ])
  // Its limits are those that it declares.
  await expect(carillon.content.createText({ connections, text: 'a'.repeat(5001) })).rejects.toMatchObject({
    code: 'post_invalid',
  })
})

test('connecting says which mistake was made', async () => {
  const { secret, address } = await startReceiver()
  const refused = { status: 422, code: 'connect_refused' }
  expect(await connect({ fields: { secret: `${secret.slice(0, -4)}AAAA` }, instanceUrl: address })).toMatchObject(refused)
  expect(await connect({ fields: { secret }, instanceUrl: `${testStack.simulatorUrl}/feed` })).toMatchObject(refused)
  // Only the network that the operator of this stack allows is called.
  expect(await connect({ fields: { secret }, instanceUrl: 'http://10.0.0.1/hook' })).toMatchObject({
    status: 422,
    code: 'url_refused',
  })
})

/** Guarantee: after a lost answer, a post is repeated only where the receiver declares that it recognises keys. */
test('a lost answer is found by its key, or unconfirmed where there are no keys', { timeout: 180_000 }, async () => {
  const handles = ['keyed', 'keyless'].map((kind) => `${kind}-${randomBytes(4).toString('hex')}`)
  const text = uniqueText('lost')
  const outcomes = handles.map(async (handle) => {
    const { credentials } = await openAccount(testStack.simulatorUrl, 'http', handle)
    const { data } = await connect({ fields: { secret: credentials.accessToken } })
    const fault = { kind: 'drop_after' }
    await callSimulator('POST', 'faults', { platform: 'http', handle, operation: 'submit', times: 1, fault })
    const own = `${text} ${handle}`
    const made = await carillon.content.createText({ connections: [textAt(data, 'slug')], text: own })
    const { channels } = await waitUntilFinished(made.uploadId, 150_000)
    return [channels[0]?.result.status, (await findPlatformPosts(own)).length]
  })
  expect(await Promise.all(outcomes)).toEqual([
    ['success', 1],
    ['unconfirmed', 1],
  ])
})
