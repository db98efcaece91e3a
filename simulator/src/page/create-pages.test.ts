import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../test/start-test-simulator.ts'
import { platformFactories } from '../platforms/platform-factories.gen.ts'

const statuses = '/mastodon/api/v1/statuses'
type TestSimulator = Awaited<ReturnType<typeof startTestSimulator>>

async function publishStatus({ request }: TestSimulator, token: string, json: object) {
  const { body } = await request(statuses, { token, json })
  return { id: textAt(body, 'id'), path: new URL(textAt(body, 'url')).pathname }
}

test('the feed names every platform, escapes texts, and nests replies', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const { id } = await publishStatus(simulator, token, { status: '<script>alert(1)</script> "bell"' })
  await publishStatus(simulator, token, { status: 'a reply', in_reply_to_id: id })
  const feed = (await simulator.request('/')).text
  for (const { name } of platformFactories) expect(feed).toContain(`href="/feed/${name}"`)
  expect(feed).toContain('&lt;script&gt;alert(1)')
  expect(feed).not.toContain('<script>alert(1)')
  expect(feed).toMatch(/class="replies">[^]*a reply/)
  for (const path of ['/feed/mastodon', '/feed/mastodon/alice', '/mastodon/@alice'])
    expect((await simulator.request(path)).text).toContain('a reply')
  expect((await simulator.request('/feed/x')).text).not.toContain('a reply')
  expect((await simulator.request('/feed/mastodon/alice?part=1')).text).not.toContain('<html')
  for (const path of ['/feed/nowhere', '/feed/nowhere/alice', '/feed/mastodon/bob'])
    expect((await simulator.request(path)).status).toBe(404)
})

test('the page of a post shows its options, its visibility, its first comment and the calls that asked for it', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const fields = { status: 'the tower', visibility: 'unlisted', spoiler_text: '<b>bells</b>', language: 'en' }
  const { id, path } = await publishStatus(simulator, token, fields)
  await publishStatus(simulator, token, { status: 'first come', in_reply_to_id: id })
  const { status, text } = await simulator.request(path)
  expect(status).toBe(200)
  expect(text).toMatch(/Visible to<\/dt><dd>Unlisted/)
  expect(text).toMatch(/Content warning[^]*spoiler_text<\/code><\/dt><dd>&lt;b&gt;bells&lt;\/b&gt;</)
  expect(text).toMatch(/Language[^]*<dd>en</)
  expect(text).toMatch(/First comment[^]*first come/)
  expect(text).toContain('create_status')
  expect(text).toContain('Published, and the caller received the answer')
})

test('a post whose answer was lost says so on its page', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  await simulator.fault({ operation: 'submit', times: 1 }, { kind: 'drop_after' })
  await expect(simulator.request(statuses, { token, json: { status: 'lost' } })).rejects.toThrow('fetch failed')
  const [post] = await simulator.posts()
  const { text } = await simulator.request(new URL(textAt(post, 'url')).pathname)
  expect(text).toContain('Published, but the caller received no usable answer (fault: drop_after)')
})

test('a link card and a title are shown; a link that is no web address cannot be followed', async () => {
  await using simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('bluesky')
  const publish = async (uri: string) => {
    const external = { uri, title: 'Tickets & more', description: 'Every Saturday' }
    const embed = { $type: 'app.bsky.embed.external', external }
    const record = { $type: 'app.bsky.feed.post', text: 'open', createdAt: new Date().toISOString(), langs: ['en'], embed }
    const json = { repo: id, collection: 'app.bsky.feed.post', record }
    expect((await simulator.request('/bluesky/xrpc/com.atproto.repo.createRecord', { token, json })).status).toBe(200)
    const post = (await simulator.posts()).at(-1)
    return (await simulator.request(new URL(textAt(post, 'url')).pathname)).text
  }
  const shown = await publish('https://example.com/tickets')
  expect(shown).toContain('<a class="link" href="https://example.com/tickets"')
  expect(shown).toContain('Tickets &amp; more')
  expect(shown).toContain('Every Saturday')
  expect(await publish('javascript:alert(1)')).not.toContain('href="javascript:')
})

test('the address of a post says that it was deleted, or that there never was one', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const { id, path } = await publishStatus(simulator, token, { status: 'here I am' })
  expect((await simulator.request(path)).text).not.toContain('was deleted')
  await simulator.request(`${statuses}/${id}`, { token, method: 'DELETE' })
  const deleted = await simulator.request(path)
  expect(deleted.status).toBe(410)
  expect(deleted.text).toContain('This post was deleted.')
  const missing = await simulator.request('/mastodon/@alice/1')
  expect(missing.status).toBe(404)
  expect(missing.text).toContain('There is no such post on Mastodon')
})

test('every page forbids inline scripts and styles and has none', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const { path } = await publishStatus(simulator, token, { status: 'a post' })
  const consent = '/x/i/oauth2/authorize?client_id=a&redirect_uri=http://localhost/&response_type=code&code_challenge=a'
  for (const each of ['/', '/feed/mastodon', '/feed/mastodon/alice', path, '/faults', '/mastodon/@a/1', consent]) {
    const { headers, text } = await simulator.request(each)
    const policy = headers.get('content-security-policy') ?? ''
    const isInline = /<style|style=|<script>|\son\w+=/.test(text)
    const isStrict = policy.includes("default-src 'none'") && !policy.includes('unsafe-inline')
    expect({ each, isStrict, isInline }).toEqual({ each, isStrict: true, isInline: false })
  }
})

test('a part of a video can be requested, and a file that is no picture is saved instead of shown', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const upload = async (type: string, bytes: string) => {
    const form = new FormData()
    form.set('file', new Blob([bytes], { type }), 'file')
    return textAt((await simulator.request('/mastodon/api/v2/media', { token, body: form })).body, 'id')
  }
  const video = `/media/mastodon/${await upload('video/mp4', '0123456789')}`
  expect(await simulator.request(video, { headers: { range: 'bytes=2-4' } })).toMatchObject({ status: 206, text: '234' })
  expect(await simulator.request(video, { headers: { range: 'bytes=-3' } })).toMatchObject({ status: 206, text: '789' })
  expect((await simulator.request(video, { headers: { range: 'bytes=10-' } })).status).toBe(416)
  expect((await simulator.request(video)).headers.get('content-disposition')).toBe('inline')
  const blob = await simulator.openAccount('bluesky')
  const page = new Uint8Array(Buffer.from('<script>alert(1)</script>'))
  const headers = { 'content-type': 'text/html' }
  const sent = await simulator.request('/bluesky/xrpc/com.atproto.repo.uploadBlob', { token: blob.token, body: page, headers })
  const file = await simulator.request(`/media/bluesky/alice-${textAt(sent.body, 'blob', 'ref', '$link')}`)
  expect(file.headers.get('content-disposition')).toBe('attachment')
  expect(valueAt(sent.body, 'blob', 'size')).toBe(page.length)
})
