import { expect, test } from 'vitest'
import { valueAt, toList, startTestSimulator, textAt } from '../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'
const submit = { platform: 'mastodon', operation: 'submit' }

async function openWithStatus() {
  const simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  return {
    simulator,
    send: (status: string) => simulator.request(statuses, { token, json: { status } }),
    [Symbol.asyncDispose]: simulator[Symbol.asyncDispose],
  }
}

test('drop_before publishes nothing, drop_after publishes the post', async () => {
  await using setup = await openWithStatus()
  const { simulator, send } = setup
  await simulator.fault({ ...submit, times: 1 }, { kind: 'drop_before' })
  await expect(send('never')).rejects.toThrow('fetch failed')
  expect(await simulator.posts()).toHaveLength(0)
  await simulator.fault({ ...submit, times: 1 }, { kind: 'drop_after' })
  await expect(send('kept')).rejects.toThrow('fetch failed')
  expect(await simulator.posts()).toMatchObject([{ text: 'kept' }])
  expect((await send('well')).status).toBe(200)
})

test('a status fault answers with the error body of the platform and the given retry time', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  await simulator.fault({ platform: 'x', times: 1 }, { kind: 'status', status: 429, retryAfterSeconds: 7 })
  const limited = await simulator.request('/x/2/users/me', { token })
  expect(limited).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } })
  expect(limited.headers.get('retry-after')).toBe('7')
  const waitSeconds = Number(limited.headers.get('x-rate-limit-reset')) - Date.now() / 1000
  expect(waitSeconds).toBeGreaterThan(5)
  expect(waitSeconds).toBeLessThan(9)
  await simulator.fault(
    { platform: 'x', times: 1 },
    { kind: 'status', status: 503, body: { odd: true }, headers: { 'X-Odd': '1' } },
  )
  const odd = await simulator.request('/x/2/users/me', { token })
  expect(odd).toMatchObject({ status: 503, body: { odd: true } })
  expect(odd.headers.get('x-odd')).toBe('1')
})

test('each platform has its own reply to an expired token', async () => {
  await using simulator = await startTestSimulator()
  await simulator.fault({}, { kind: 'expired_token' })
  const paths = {
    mastodon: '/api/v1/accounts/verify_credentials',
    threads: '/v1.0/me',
    x: '/2/users/me',
    bluesky: '/xrpc/com.atproto.server.getSession',
  }
  const seen: Record<string, number> = {}
  for (const [platform, path] of Object.entries(paths)) {
    const { token } = await simulator.openAccount(platform)
    seen[platform] = (await simulator.request(`/${platform}${path}`, { token })).status
  }
  expect(seen).toEqual({ mastodon: 401, threads: 400, x: 401, bluesky: 400 })
})

test('skip lets calls pass, handle and operation narrow the target, and a fault can be removed', async () => {
  await using setup = await openWithStatus()
  const { simulator, send } = setup
  const bob = await simulator.openAccount('mastodon', 'bob')
  const made = await simulator.fault({ ...submit, handle: 'alice', skip: 1 }, { kind: 'status', status: 500 })
  expect((await send('one')).status).toBe(200)
  expect((await send('two')).status).toBe(500)
  expect((await simulator.request(statuses, { token: bob.token, json: { status: 'three' } })).status).toBe(200)
  expect((await simulator.request('/mastodon/api/v2/instance')).status).toBe(200)
  expect(toList(valueAt((await simulator.request('/_control/faults')).body, 'faults'))).toMatchObject([
    { seen: 2, hits: 1, handle: 'alice' },
  ])
  await simulator.request(`/_control/faults/${textAt(made.body, 'id')}`, { method: 'DELETE' })
  expect((await send('four')).status).toBe(200)
})

test('slow_body, huge_body, delay and garbage change the reply', async () => {
  await using setup = await openWithStatus()
  const { simulator, send } = setup
  await simulator.fault({ ...submit, times: 1 }, { kind: 'huge_body', bytes: 300_000 })
  expect((await send('huge')).text.length).toBeGreaterThan(300_000)
  await simulator.fault({ ...submit, times: 1 }, { kind: 'garbage' })
  expect(await send('foreign')).toMatchObject({ status: 200, body: undefined })
  const startedAtMs = Date.now()
  await simulator.fault({ ...submit, times: 1 }, { kind: 'delay', ms: 120 })
  await send('late')
  await simulator.fault({ ...submit, times: 1 }, { kind: 'slow_body', bytesPerSecond: 2500 })
  expect((await send('slow')).status).toBe(200)
  expect(Date.now() - startedAtMs).toBeGreaterThan(300)
  expect((await simulator.posts()).map((post) => valueAt(post, 'text'))).toEqual(['huge', 'late', 'slow'])
})

test('random faults are seeded: the same seed fails the same calls', async () => {
  const run = async () => {
    await using setup = await openWithStatus()
    const { simulator, send } = setup
    await simulator.fault(submit, {
      kind: 'random',
      seed: 7,
      probability: 0.5,
      faults: [
        { kind: 'status', status: 500 },
        { kind: 'status', status: 503 },
      ],
    })
    const seen: number[] = []
    for (let n = 0; n < 20; n++) seen.push((await send(`post ${n}`)).status)
    return seen
  }
  const first = await run()
  expect(new Set(first)).toEqual(new Set([200, 500, 503]))
  expect(await run()).toEqual(first)
})

test('a fault of an unknown kind, operation or platform is refused', async () => {
  await using simulator = await startTestSimulator()
  expect((await simulator.fault({}, { kind: 'nonsense' })).status).toBe(400)
  expect((await simulator.fault({ operation: 'nonsense' }, { kind: 'drop_before' })).status).toBe(400)
  expect((await simulator.fault({ platform: 'nonsense' }, { kind: 'drop_before' })).status).toBe(400)
})
