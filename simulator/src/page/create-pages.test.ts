import { expect, test } from 'vitest'
import { startTestSimulator, textAt } from '../../test/start-test-simulator.ts'

test('the feed shows every platform, escapes texts, and nests replies', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const made = await simulator.request('/mastodon/api/v1/statuses', {
    token,
    json: { status: '<script>alert(1)</script> "bell"' },
  })
  await simulator.request('/mastodon/api/v1/statuses', {
    token,
    json: { status: 'a reply', in_reply_to_id: textAt(made.body, 'id') },
  })
  const feed = (await simulator.request('/')).text
  for (const title of ['Bluesky', 'Mastodon', 'Threads']) expect(feed).toContain(`<h2>${title}`)
  expect(feed).toContain('&lt;script&gt;alert(1)')
  expect(feed).not.toContain('<script>alert(1)')
  expect(feed).toMatch(/class="replies">[^]*a reply/)
  expect((await simulator.request('/feed/mastodon/alice')).text).toContain('a reply')
  expect((await simulator.request('/feed/mastodon/alice?part=1')).text).not.toContain('<html')
  expect((await simulator.request('/feed/nowhere/alice')).status).toBe(404)
})

test('the URL of a post opens its page until the post is deleted', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const made = await simulator.request('/mastodon/api/v1/statuses', { token, json: { status: 'here I am' } })
  const path = textAt(made.body, 'url').slice(simulator.url.length)
  expect((await simulator.request(path)).text).toContain('here I am')
  await simulator.request(`/mastodon/api/v1/statuses/${textAt(made.body, 'id')}`, { token, method: 'DELETE' })
  expect((await simulator.request(path)).status).toBe(404)
})
