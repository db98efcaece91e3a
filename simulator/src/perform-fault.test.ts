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

test('hang accepts the call and never answers it, before or after it is carried out', async () => {
  await using setup = await openWithStatus()
  const { simulator } = setup
  const { token } = await simulator.openAccount('mastodon')
  for (const commit of [false, true]) {
    await simulator.fault({ ...submit, times: 1 }, { kind: 'hang', commit })
    const request = fetch(simulator.url + statuses, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: `hang ${commit}` }),
      signal: AbortSignal.timeout(200),
    })
    await expect(request).rejects.toThrow('timeout')
  }
  expect(await simulator.posts()).toMatchObject([{ text: 'hang true' }])
})

test('malformed puts NUL and lone surrogates into the ids and URLs of a successful answer', async () => {
  await using setup = await openWithStatus()
  const { simulator, send } = setup
  await simulator.fault({ ...submit, times: 1 }, { kind: 'malformed' })
  const answer = await send('odd')
  expect(answer.status).toBe(200)
  for (const name of ['id', 'url', 'uri']) {
    expect(textAt(answer.body, name)).toContain('\u0000')
    expect(textAt(answer.body, name).isWellFormed()).toBe(false)
  }
  expect(textAt(answer.body, 'content')).toBe('<p>odd</p>')

  const linkedin = await simulator.openAccount('linkedin')
  await simulator.fault({ platform: 'linkedin', times: 1 }, { kind: 'malformed' })
  const headers = { 'linkedin-version': '202606', 'x-restli-protocol-version': '2.0.0' }
  const distribution = { feedDistribution: 'MAIN_FEED' }
  const json = { author: linkedin.id, commentary: 'odd', visibility: 'PUBLIC', distribution, lifecycleState: 'PUBLISHED' }
  const posted = await simulator.request('/linkedin/rest/posts', { token: linkedin.token, headers, json })
  expect(posted.status).toBe(201)
  expect(posted.headers.get('x-restli-id')).toMatch(/^urn:li:share:\d+\u00ff\u00fe$/)
})

test('an outage answers every call of a platform with 503 from one moment until another', async () => {
  await using setup = await openWithStatus()
  const { simulator, send } = setup
  const { token } = await simulator.openAccount('x')
  const readX = () => simulator.request('/x/2/users/me', { token })
  const outage = { kind: 'outage', inMs: 60_000, forMs: 120_000, retryAfterSeconds: 'remaining' }
  expect((await simulator.fault({ platform: 'mastodon' }, outage)).status).toBe(201)
  expect((await send('before')).status).toBe(200)
  await simulator.control('/clock', { advanceMs: 60_000 })
  const during = await send('during')
  expect(during.status).toBe(503)
  expect(Number(during.headers.get('retry-after'))).toBeGreaterThan(110)
  expect((await simulator.request('/mastodon/api/v2/instance')).status).toBe(503)
  expect((await readX()).status).toBe(200)
  await simulator.control('/clock', { advanceMs: 120_000 })
  expect((await send('after')).status).toBe(200)
  expect((await simulator.posts()).map((post) => valueAt(post, 'text'))).toEqual(['before', 'after'])

  await simulator.fault({ platform: 'x' }, { kind: 'outage', clock: 'real', forMs: 150 })
  const failed = await readX()
  expect(failed).toMatchObject({ status: 503 })
  expect(failed.headers.get('retry-after')).toBeNull()
  await expect.poll(async () => (await readX()).status).toBe(200)
  expect((await simulator.fault({}, { kind: 'outage', fromMs: 2, untilMs: 1 })).status).toBe(400)
})

test('a rule can name an account by its id, a part of the path, and a share of the calls', async () => {
  await using setup = await openWithStatus()
  const { simulator, send } = setup
  const bob = await simulator.openAccount('mastodon', 'bob')
  await simulator.fault({ account: bob.id }, { kind: 'status', status: 500 })
  expect((await send('alice')).status).toBe(200)
  expect((await simulator.request(statuses, { token: bob.token, json: { status: 'bob' } })).status).toBe(500)
  await simulator.request('/_control/faults', { method: 'DELETE' })

  await simulator.fault({ path: '/instance' }, { kind: 'status', status: 502 })
  expect((await simulator.request('/mastodon/api/v2/instance')).status).toBe(502)
  expect((await send('other path')).status).toBe(200)

  await simulator.fault({ ...submit, probability: 0.5, seed: 3 }, { kind: 'status', status: 500 })
  const seen: number[] = []
  for (let n = 0; n < 20; n++) seen.push((await send(`post ${n}`)).status)
  expect(new Set(seen)).toEqual(new Set([200, 500]))
  expect((await simulator.fault({ probability: 2 }, { kind: 'hang' })).status).toBe(400)
})

const operations = ['token', 'stage', 'metrics', 'find', 'check', 'remove', 'account'] as const

test.each(operations)('every kind of fault applies to the operation %s', async (operation) => {
  await using simulator = await startTestSimulator()
  const { token, refresh, id: user } = await simulator.openAccount('x')
  const id = textAt((await simulator.request('/x/2/tweets', { token, json: { text: 'bells' } })).body, 'data', 'id')
  const media = { media_type: 'video/mp4', total_bytes: 1 }
  const renewal = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'app' }
  const calls: Record<typeof operation, () => Promise<{ status: number; text: string }>> = {
    token: () => simulator.request('/x/2/oauth2/token', { form: renewal }),
    stage: () => simulator.request('/x/2/media/upload/initialize', { token, json: media }),
    metrics: () => simulator.request(`/x/2/tweets?ids=${id}`, { token }),
    find: () => simulator.request(`/x/2/users/${user}/tweets`, { token }),
    check: () => simulator.request(`/x/2/tweets/${id}`, { token }),
    remove: () => simulator.request(`/x/2/tweets/${id}`, { token, method: 'DELETE' }),
    account: () => simulator.request('/x/2/users/me', { token }),
  }
  await simulator.control('/settings', { platform: 'x', singleUseRefreshTokens: false })
  const perform = async (fault: object) => {
    await simulator.fault({ platform: 'x', handle: 'alice', operation, times: 1 }, fault)
    return calls[operation]()
  }
  await expect(perform({ kind: 'drop_before' })).rejects.toThrow('fetch failed')
  expect((await perform({ kind: 'status', status: 418, body: 'teapot', retryAfterSeconds: 1 })).text).toBe('teapot')
  expect((await perform({ kind: 'expired_token' })).status).toBe(401)
  expect((await perform({ kind: 'garbage' })).text).toContain('<!doctype html>')
  expect((await perform({ kind: 'huge_body', bytes: 100_000 })).text.length).toBeGreaterThan(100_000)
  expect((await perform({ kind: 'slow_body', bytesPerSecond: 10_000 })).status).toBeLessThan(500)
  expect((await perform({ kind: 'outage', forMs: 1000 })).status).toBe(503)
  await expect(perform({ kind: 'drop_after' })).rejects.toThrow('fetch failed')
})
