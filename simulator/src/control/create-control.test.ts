import { expect, test } from 'vitest'
import { valueAt, toList, startTestSimulator, textAt } from '../../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'

test('one call creates ten thousand accounts', async () => {
  await using simulator = await startTestSimulator()
  const { body } = await simulator.control('/accounts', { platform: 'mastodon', handle: 'load', count: 10_000 })
  const accounts = toList(valueAt(body, 'accounts'))
  expect(accounts).toHaveLength(10_000)
  const token = textAt(accounts[9_999], 'credentials', 'accessToken')
  expect((await simulator.request('/mastodon/api/v1/accounts/verify_credentials', { token })).body).toMatchObject({
    acct: 'load-10000',
  })
})

test('posts are listed, summarized and removed', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  for (const status of ['run-1 a', 'run-1 b', 'run-1 a', 'other']) await simulator.request(statuses, { token, json: { status } })
  expect(await simulator.posts('?platform=mastodon&handle=alice&text=run-1%20a')).toHaveLength(2)
  expect(await simulator.posts('?limit=1')).toMatchObject([{ text: 'other' }])
  const summary = await simulator.request('/_control/posts/summary?prefix=run-1')
  expect(summary.body).toEqual({
    total: 3,
    distinctTexts: 2,
    duplicates: [{ platform: 'mastodon', handle: 'alice', text: 'run-1 a', count: 2 }],
  })
  await simulator.request('/_control/posts', { method: 'DELETE' })
  expect(await simulator.posts()).toEqual([])
})

test('calls are counted by operation and committed posts are recorded', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  await simulator.control('/recording', { on: true })
  for (const status of ['one', 'two']) await simulator.request(statuses, { token, json: { status } })
  await simulator.request('/mastodon/api/v1/accounts/verify_credentials', { token })
  expect((await simulator.request('/_control/calls?platform=mastodon&operation=submit')).body).toMatchObject({
    total: 2,
    calls: [{ operation: 'submit', count: 2 }],
  })
  const bob = await simulator.openAccount('mastodon', 'bob')
  await simulator.request(statuses, { token: bob.token, json: { status: 'three' } })
  expect((await simulator.request('/_control/calls?operation=submit&by=account')).body).toMatchObject({
    calls: [
      { account: 'alice', count: 2 },
      { account: 'bob', count: 1 },
    ],
  })
  const lines = (await simulator.request('/_control/recording')).text.trim().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { handle: 'alice', textPrefix: 'one' },
    { handle: 'alice', textPrefix: 'two' },
    { handle: 'bob', textPrefix: 'three' },
  ])
})

test('a test sets the likes, shares and other figures of a post', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  await simulator.request(statuses, { token, json: { status: 'liked' } })
  const set = (more: object) => simulator.control('/figures', { platform: 'mastodon', text: 'liked', ...more })
  expect((await set({ likes: 3 })).status).toBe(200)
  expect((await set({ shares: 2 })).body).toMatchObject({ figures: { likes: 3, shares: 2 } })
  expect((await set({ likes: -1 })).status).toBe(400)
  expect((await simulator.control('/figures', { platform: 'mastodon', text: 'not published', likes: 1 })).status).toBe(404)
  const { id } = (await simulator.control('/figures', { platform: 'mastodon', text: 'liked' })).body as { id: string }
  const seen = await simulator.request(`${statuses}/${id}`, { token })
  expect(seen.body).toMatchObject({ favourites_count: 3, reblogs_count: 2, replies_count: 0 })
})

test('limits can be switched off and everything can be reset', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  await simulator.control('/settings', { platform: 'mastodon', limits: { statuses: 1 } })
  const send = (status: string) => simulator.request(statuses, { token, json: { status } })
  expect([(await send('one')).status, (await send('two')).status]).toEqual([200, 429])
  await simulator.control('/settings', { platform: 'mastodon', rateLimits: false })
  expect((await send('three')).status).toBe(200)
  expect((await simulator.control('/settings', { platform: 'mastodon', limits: { nonsense: 1 } })).status).toBe(400)
  await simulator.control('/reset', {})
  expect(await simulator.posts()).toEqual([])
  expect((await send('four')).status).toBe(401)
})
