import { expect, test } from 'vitest'
import { openTestWorld, text } from '../../test/start-test-simulator.ts'

test('the feed shows every platform, escapes what people write, and nests replies', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  const made = await world.ask('/mastodon/api/v1/statuses', { token, json: { status: '<script>alert(1)</script> "bell"' } })
  await world.ask('/mastodon/api/v1/statuses', { token, json: { status: 'a reply', in_reply_to_id: text(made.body, 'id') } })
  const feed = (await world.ask('/')).text
  for (const title of ['Bluesky', 'Mastodon', 'Threads']) expect(feed).toContain(`<h2>${title}`)
  expect(feed).toContain('&lt;script&gt;alert(1)')
  expect(feed).not.toContain('<script>alert(1)')
  expect(feed).toMatch(/class="replies">[^]*a reply/)
  expect((await world.ask('/feed/mastodon/alice')).text).toContain('a reply')
  expect((await world.ask('/feed/mastodon/alice?part=1')).text).not.toContain('<html')
  expect((await world.ask('/feed/nowhere/alice')).status).toBe(404)
})

test('the address of a post opens on the simulator, until it is deleted', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  const made = await world.ask('/mastodon/api/v1/statuses', { token, json: { status: 'here I am' } })
  const path = text(made.body, 'url').slice(world.url.length)
  expect((await world.ask(path)).text).toContain('here I am')
  await world.ask(`/mastodon/api/v1/statuses/${text(made.body, 'id')}`, { token, method: 'DELETE' })
  expect((await world.ask(path)).status).toBe(404)
})
