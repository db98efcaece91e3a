import { expect, test } from 'vitest'
import { at, list, openTestWorld, text } from '../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'
const submit = { platform: 'mastodon', operation: 'submit' }

async function openWithStatus() {
  const world = await openTestWorld()
  const { token } = await world.join('mastodon')
  return {
    world,
    send: (status: string) => world.ask(statuses, { token, json: { status } }),
    [Symbol.asyncDispose]: world[Symbol.asyncDispose],
  }
}

test('a reply dropped before the commit leaves nothing, one dropped after leaves the post', async () => {
  await using scene = await openWithStatus()
  const { world, send } = scene
  await world.fault({ ...submit, times: 1 }, { kind: 'drop_before' })
  await expect(send('never')).rejects.toThrow('fetch failed')
  expect(await world.posts()).toHaveLength(0)
  await world.fault({ ...submit, times: 1 }, { kind: 'drop_after' })
  await expect(send('kept')).rejects.toThrow('fetch failed')
  expect(await world.posts()).toMatchObject([{ text: 'kept' }])
  expect((await send('well')).status).toBe(200)
})

test('a status fault answers in the platform its own words, with the wait it was given', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('x')
  await world.fault({ platform: 'x', times: 1 }, { kind: 'status', status: 429, retryAfterSeconds: 7 })
  const limited = await world.ask('/x/2/users/me', { token })
  expect(limited).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } })
  expect(limited.headers.get('retry-after')).toBe('7')
  const waitSeconds = Number(limited.headers.get('x-rate-limit-reset')) - Date.now() / 1000
  expect(waitSeconds).toBeGreaterThan(5)
  expect(waitSeconds).toBeLessThan(9)
  await world.fault({ platform: 'x', times: 1 }, { kind: 'status', status: 503, body: { odd: true }, headers: { 'X-Odd': '1' } })
  const odd = await world.ask('/x/2/users/me', { token })
  expect(odd).toMatchObject({ status: 503, body: { odd: true } })
  expect(odd.headers.get('x-odd')).toBe('1')
})

test('each platform has its own expired token', async () => {
  await using world = await openTestWorld()
  await world.fault({}, { kind: 'expired_token' })
  const paths = {
    mastodon: '/api/v1/accounts/verify_credentials',
    threads: '/v1.0/me',
    x: '/2/users/me',
    bluesky: '/xrpc/com.atproto.server.getSession',
  }
  const seen: Record<string, number> = {}
  for (const [platform, path] of Object.entries(paths)) {
    const { token } = await world.join(platform)
    seen[platform] = (await world.ask(`/${platform}${path}`, { token })).status
  }
  expect(seen).toEqual({ mastodon: 401, threads: 400, x: 401, bluesky: 400 })
})

test('skip lets calls pass, handle and operation narrow, and a fault can be removed', async () => {
  await using scene = await openWithStatus()
  const { world, send } = scene
  const bob = await world.join('mastodon', 'bob')
  const made = await world.fault({ ...submit, handle: 'alice', skip: 1 }, { kind: 'status', status: 500 })
  expect((await send('one')).status).toBe(200)
  expect((await send('two')).status).toBe(500)
  expect((await world.ask(statuses, { token: bob.token, json: { status: 'three' } })).status).toBe(200)
  expect((await world.ask('/mastodon/api/v2/instance')).status).toBe(200)
  expect(list(at((await world.ask('/_control/faults')).body, 'faults'))).toMatchObject([{ seen: 2, hits: 1, handle: 'alice' }])
  await world.ask(`/_control/faults/${text(made.body, 'id')}`, { method: 'DELETE' })
  expect((await send('four')).status).toBe(200)
})

test('slow, huge, late and foreign answers', async () => {
  await using scene = await openWithStatus()
  const { world, send } = scene
  await world.fault({ ...submit, times: 1 }, { kind: 'huge_body', bytes: 300_000 })
  expect((await send('huge')).text.length).toBeGreaterThan(300_000)
  await world.fault({ ...submit, times: 1 }, { kind: 'garbage' })
  expect(await send('foreign')).toMatchObject({ status: 200, body: undefined })
  const startedAtMs = Date.now()
  await world.fault({ ...submit, times: 1 }, { kind: 'delay', ms: 120 })
  await send('late')
  await world.fault({ ...submit, times: 1 }, { kind: 'slow_body', bytesPerSecond: 2500 })
  expect((await send('slow')).status).toBe(200)
  expect(Date.now() - startedAtMs).toBeGreaterThan(300)
  expect((await world.posts()).map((post) => at(post, 'text'))).toEqual(['huge', 'late', 'slow'])
})

test('chance is seeded: the same seed strikes the same calls', async () => {
  const run = async () => {
    await using scene = await openWithStatus()
    const { world, send } = scene
    await world.fault(submit, {
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

test('a fault nobody can read is refused', async () => {
  await using world = await openTestWorld()
  expect((await world.fault({}, { kind: 'nonsense' })).status).toBe(400)
  expect((await world.fault({ operation: 'nonsense' }, { kind: 'drop_before' })).status).toBe(400)
  expect((await world.fault({ platform: 'nonsense' }, { kind: 'drop_before' })).status).toBe(400)
})
