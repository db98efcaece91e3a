import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

async function openChannel(handle?: string) {
  const simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('slack', handle)
  const post = (method: string, json: object) => simulator.request(`/slack/api/${method}`, { token, json })
  const read = (method: string, query: Record<string, string> = {}) =>
    simulator.request(`/slack/api/${method}?${new URLSearchParams(query)}`, { token })
  const send = async (text: string, more = {}) => (await post('chat.postMessage', { channel: id, text, ...more })).body
  const history = async (query = {}) => (await read('conversations.history', { channel: id, ...query })).body
  return { simulator, token, id, post, read, send, history, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

test('a message has a time as its id, shows entities as characters, and is listed newest first', async () => {
  await using channel = await openChannel()
  const metadata = { event_type: 'bell', event_payload: { key: 'k1' } }
  const first = textAt(await channel.send('bells &lt;3 https://carillon.example/ &amp; more', { metadata }), 'ts')
  const second = textAt(await channel.send('again'), 'ts')
  expect(first).toMatch(/^\d+\.\d{6}$/)
  expect(await channel.history()).toMatchObject({
    ok: true,
    messages: [{ ts: second }, { ts: first, text: 'bells &lt;3 <https://carillon.example/> &amp; more' }],
  })
  expect(valueAt(await channel.history(), 'messages', 1, 'metadata')).toBeUndefined()
  expect(await channel.history({ include_all_metadata: 'true', oldest: first, latest: first, inclusive: 'true' })).toMatchObject({
    messages: [{ ts: first, metadata }],
  })
  const [post] = await channel.simulator.posts('?platform=slack')
  expect(post).toMatchObject({ id: first, text: 'bells <3 https://carillon.example/ & more' })
  expect((await channel.simulator.request(new URL(textAt(post, 'url')).pathname)).text).toContain('bells')
  expect((await channel.post('chat.delete', { channel: channel.id, ts: first })).body).toMatchObject({ ok: true })
  expect((await channel.post('chat.delete', { channel: channel.id, ts: first })).body).toMatchObject({
    error: 'message_not_found',
  })
})

test('answers name the first message of their thread, and are listed there only', async () => {
  await using channel = await openChannel()
  const root = textAt(await channel.send('bells'), 'ts')
  const answer = textAt(await channel.send('more', { thread_ts: root }), 'ts')
  expect(await channel.send('deeper', { thread_ts: answer })).toMatchObject({ error: 'cannot_reply_to_message' })
  expect(await channel.send('lost', { thread_ts: '1.000001' })).toMatchObject({ error: 'thread_not_found' })
  expect(await channel.history()).toMatchObject({ messages: [{ ts: root, reply_count: 1 }] })
  expect((await channel.read('conversations.replies', { channel: channel.id, ts: root })).body).toMatchObject({
    messages: [{ ts: root }, { ts: answer, thread_ts: root }],
  })
})

/** Guarantee: a refusal with status 200 is not counted as a message. */
test.each([
  ['outside-tower', 'not_in_channel'],
  ['archived-tower', 'is_archived'],
  ['restricted-tower', 'restricted_action'],
])('the bot of %s cannot write', async (handle, error) => {
  await using channel = await openChannel(handle)
  expect(await channel.send('bells')).toEqual({ ok: false, error })
  expect(await channel.simulator.submits('?platform=slack')).toMatchObject({ carriedOut: 0, submits: [{ outcome: 'refused' }] })
})

test('what is over 40,000 characters is cut without a word, and an empty text is refused', async () => {
  await using channel = await openChannel()
  await channel.send('a'.repeat(40_001))
  const [post] = await channel.simulator.posts('?platform=slack')
  expect(textAt(post, 'text')).toHaveLength(40_000)
  expect(await channel.send(' ')).toMatchObject({ error: 'no_text' })
})

test('files are announced, uploaded and shared, and name their message some time after the answer', async () => {
  await using channel = await openChannel()
  const announce = async (form: Record<string, string>) =>
    (await channel.simulator.request('/slack/api/files.getUploadURLExternal', { token: channel.token, form })).body
  const announced = await announce({ filename: 'bell.jpg', length: '3', alt_txt: 'A bell' })
  const id = textAt(announced, 'file_id')
  const share = () =>
    channel.post('files.completeUploadExternal', { files: [{ id }], channel_id: channel.id, initial_comment: 'bells' })
  expect((await share()).body).toMatchObject({ error: 'file_not_found' })
  const { pathname } = new URL(textAt(announced, 'upload_url'))
  const upload = (bytes: number) =>
    channel.simulator.request(pathname, { body: new Uint8Array(bytes), headers: { 'content-type': 'image/jpeg' } })
  expect((await upload(4)).status).toBe(400)
  expect((await upload(3)).text).toBe('OK - 3')
  expect((await share()).body).toMatchObject({ ok: true, files: [{ id }] })
  const shares = async () => valueAt((await channel.read('files.info', { file: id })).body, 'file', 'shares')
  expect(await shares()).toBeUndefined()
  expect(await channel.history()).toMatchObject({ messages: [] })
  await channel.simulator.control('/clock', { advanceMs: 1000 })
  const [message] = await channel.simulator.posts('?platform=slack')
  expect(message).toMatchObject({ text: 'bells', media: [{ alt: 'A bell', mime: 'image/jpeg' }] })
  expect(await shares()).toMatchObject({ public: { [channel.id]: [{ ts: textAt(message, 'id') }] } })
  expect((await share()).body).toMatchObject({ error: 'file_not_found' })
  expect(await announce({ filename: 'a', length: '1', alt_txt: 'a'.repeat(1001) })).toMatchObject({ error: 'alt_txt_too_large' })
})

test('a bot reads who it is, what it may do and its channel; the list has pages', async () => {
  await using channel = await openChannel('scopeless-tower')
  const { body, headers } = await channel.read('auth.test')
  expect(body).toMatchObject({ ok: true, url: 'https://scopeless-tower-team.slack.com/' })
  expect(headers.get('x-oauth-scopes')).not.toContain('history')
  expect(await channel.history()).toMatchObject({ error: 'missing_scope', needed: 'channels:history' })
  expect((await channel.read('conversations.info', { channel: channel.id })).body).toMatchObject({
    channel: { name: 'scopeless-tower', is_member: true },
  })
  const next = textAt((await channel.read('conversations.list')).body, 'response_metadata', 'next_cursor')
  expect((await channel.read('conversations.list', { cursor: next })).body).toMatchObject({ channels: [{ id: channel.id }] })
  expect((await channel.simulator.request('/slack/api/auth.test')).body).toEqual({ ok: false, error: 'not_authed' })
  expect((await channel.simulator.request('/slack/api/auth.test', { token: 'xoxb-1' })).body).toMatchObject({
    error: 'invalid_auth',
  })
})

/** Guarantee: each call needs the scope that its page names, and a refusal says which. */
test.each([
  ['no-chat-write-tower', 'chat:write', 'chat.postMessage'],
  ['no-files-write-tower', 'files:write', 'files.getUploadURLExternal'],
  ['no-files-write-tower', 'files:write', 'files.completeUploadExternal'],
  ['no-files-read-tower', 'files:read', 'files.info'],
  ['no-channels-read-tower', 'channels:read', 'conversations.info'],
  ['no-channels-read-tower', 'channels:read', 'conversations.list'],
  ['scopeless-tower', 'channels:history', 'conversations.replies'],
])('the app of %s lacks %s, which %s needs', async (handle, needed, method) => {
  await using channel = await openChannel(handle)
  const isRead = /info|list|replies/.test(method)
  const { status, body, headers } = isRead
    ? await channel.read(method, { channel: channel.id })
    : await channel.post(method, { channel: channel.id, text: 'bells' })
  const provided = headers.get('x-oauth-scopes')
  expect([status, headers.get('x-accepted-oauth-scopes')]).toEqual([200, needed])
  expect(body).toEqual({ ok: false, error: 'missing_scope', needed, provided })
  expect(provided?.split(',')).not.toContain(needed)
  expect((await channel.read('auth.test')).body).toMatchObject({ ok: true })
})

test('a private channel needs the scopes of groups', async () => {
  await using channel = await openChannel('private-tower')
  expect(await channel.history()).toMatchObject({ ok: true })
  await using without = await openChannel('no-channels-history-tower')
  expect(await without.history()).toMatchObject({ error: 'missing_scope', needed: 'channels:history' })
})

test('the 61st message of a minute is refused with the seconds to wait', async () => {
  await using channel = await openChannel()
  for (let n = 0; n < 60; n++) await channel.send(`bell ${n}`)
  const { status, body, headers } = await channel.post('chat.postMessage', { channel: channel.id, text: 'bell 60' })
  expect([status, body, headers.get('retry-after')]).toEqual([429, { ok: false, error: 'ratelimited' }, '30'])
})
