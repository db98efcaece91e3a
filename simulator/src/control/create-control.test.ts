import { expect, test } from 'vitest'
import { at, list, openTestWorld, text } from '../../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'

test('ten thousand accounts are made in one call', async () => {
  await using world = await openTestWorld()
  const { body } = await world.control('/accounts', { platform: 'mastodon', handle: 'load', count: 10_000 })
  const accounts = list(at(body, 'accounts'))
  expect(accounts).toHaveLength(10_000)
  const token = text(accounts[9_999], 'credentials', 'accessToken')
  expect((await world.ask('/mastodon/api/v1/accounts/verify_credentials', { token })).body).toMatchObject({ acct: 'load-10000' })
})

test('posts are listed, summarized and removed', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  for (const status of ['run-1 a', 'run-1 b', 'run-1 a', 'other']) await world.ask(statuses, { token, json: { status } })
  expect(await world.posts('?platform=mastodon&handle=alice&text=run-1%20a')).toHaveLength(2)
  expect(await world.posts('?limit=1')).toMatchObject([{ text: 'other' }])
  const summary = await world.ask('/_control/posts/summary?prefix=run-1')
  expect(summary.body).toEqual({
    total: 3,
    distinctTexts: 2,
    duplicates: [{ platform: 'mastodon', handle: 'alice', text: 'run-1 a', count: 2 }],
  })
  await world.ask('/_control/posts', { method: 'DELETE' })
  expect(await world.posts()).toEqual([])
})

test('calls are counted by operation and committed posts are recorded', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  await world.control('/recording', { on: true })
  for (const status of ['one', 'two']) await world.ask(statuses, { token, json: { status } })
  await world.ask('/mastodon/api/v1/accounts/verify_credentials', { token })
  expect((await world.ask('/_control/calls?platform=mastodon&operation=submit')).body).toMatchObject({
    total: 2,
    calls: [{ operation: 'submit', count: 2 }],
  })
  const lines = (await world.ask('/_control/recording')).text.trim().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { handle: 'alice', textPrefix: 'one' },
    { handle: 'alice', textPrefix: 'two' },
  ])
})

test('an audience is what a test says it is', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  await world.ask(statuses, { token, json: { status: 'liked' } })
  const set = (more: object) => world.control('/figures', { platform: 'mastodon', text: 'liked', ...more })
  expect((await set({ likes: 3 })).status).toBe(200)
  expect((await set({ shares: 2 })).body).toMatchObject({ figures: { likes: 3, shares: 2 } })
  expect((await set({ likes: -1 })).status).toBe(400)
  expect((await world.control('/figures', { platform: 'mastodon', text: 'nobody wrote this', likes: 1 })).status).toBe(404)
  const { id } = (await world.control('/figures', { platform: 'mastodon', text: 'liked' })).body as { id: string }
  const seen = await world.ask(`${statuses}/${id}`, { token })
  expect(seen.body).toMatchObject({ favourites_count: 3, reblogs_count: 2, replies_count: 0 })
})

test('limits can be switched off and everything can be reset', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  await world.control('/settings', { platform: 'mastodon', limits: { statuses: 1 } })
  const send = (status: string) => world.ask(statuses, { token, json: { status } })
  expect([(await send('one')).status, (await send('two')).status]).toEqual([200, 429])
  await world.control('/settings', { platform: 'mastodon', rateLimits: false })
  expect((await send('three')).status).toBe(200)
  expect((await world.control('/settings', { platform: 'mastodon', limits: { nonsense: 1 } })).status).toBe(400)
  await world.control('/reset', {})
  expect(await world.posts()).toEqual([])
  expect((await send('four')).status).toBe(401)
})
