import { generateKeyPairSync, sign } from 'node:crypto'
import { connect, constants } from 'node:http2'
import { expect, test } from 'vitest'
import { queryDatabase } from '../support/query-database.ts'
import { testStack } from '../test-stack.ts'

/** Another engine that reaches the worker's port could register it and run its handlers, such as the heartbeat that readiness relies on. */

async function workerUrl(): Promise<string> {
  const response = await fetch(`${testStack.restateAdminUrl}/deployments`)
  const { deployments } = (await response.json()) as { deployments: { uri: string }[] }
  return deployments.at(-1)?.uri ?? ''
}

async function send(path: string, headers: Record<string, string>): Promise<number> {
  const session = connect(await workerUrl())
  try {
    const isDiscovery = path === '/discover'
    const type = isDiscovery ? 'application/vnd.restate.endpointmanifest.v3+json' : 'application/vnd.restate.invocation.v5'
    const request = session.request({
      [constants.HTTP2_HEADER_METHOD]: isDiscovery ? 'GET' : 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      [isDiscovery ? 'accept' : 'content-type']: type,
      ...headers,
    })
    request.end()
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    request.on('response', (answer) => resolve(Number(answer[constants.HTTP2_HEADER_STATUS])))
    request.on('error', reject)
    return await promise
  } finally {
    session.destroy()
  }
}

/** As another engine would sign: the right form, with a key that is not ours. */
function signedByAnother(path: string): Record<string, string> {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const kid = testStack.restateIdentityKey
  const text = `${encode({ alg: 'EdDSA', typ: 'JWT', kid })}.${encode({ aud: path, nbf: nowSeconds - 60, iat: nowSeconds, exp: nowSeconds + 60 })}`
  const signature = sign(null, Buffer.from(text), generateKeyPairSync('ed25519').privateKey).toString('base64url')
  return { 'x-restate-signature-scheme': 'v1', 'x-restate-jwt-v1': `${text}.${signature}` }
}

test.each(['/discover', '/invoke/heartbeat/beat', '/invoke/publish/submit', '/invoke/witness/save'])(
  'requests to %s that our engine did not sign are refused',
  async (path) => {
    expect(await send(path, {})).toBe(401)
    expect(await send(path, { 'x-restate-signature-scheme': 'unsigned' })).toBe(401)
    expect(await send(path, signedByAnother(path))).toBe(401)
  },
)

test('our own engine still reaches the worker', async () => {
  const newest = async () => (await queryDatabase<{ at: Date }>('select max(at) as at from heartbeat'))[0]?.at.getTime() ?? 0
  const before = await newest()
  await expect.poll(newest, { timeout: 30_000, interval: 500 }).toBeGreaterThan(before)
})
