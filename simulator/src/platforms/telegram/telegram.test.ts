import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

async function openChat(handle?: string) {
  const simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('telegram', handle)
  const call = (method: string, fields: Record<string, unknown>) =>
    simulator.request(`/telegram/bot${token}/${method}`, { json: { chat_id: id, ...fields } })
  const read = (method: string, query: Record<string, string> = {}) =>
    simulator.request(`/telegram/bot${token}/${method}?${new URLSearchParams(query)}`)
  const send = (method: string, form: FormData) => simulator.request(`/telegram/bot${token}/${method}`, { body: form })
  return { simulator, token, id, call, read, send, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const photo = () => new File([new Uint8Array([255, 216, 255])], 'bell.jpg', { type: 'image/jpeg' })

function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

test('a bot finds its chat by name and by number, and what it may do there', async () => {
  await using chat = await openChat()
  const me = await chat.read('getMe')
  expect(me.body).toMatchObject({ ok: true, result: { is_bot: true, username: 'alice_bot' } })
  const named = await chat.read('getChat', { chat_id: '@Alice' })
  expect(named.body).toMatchObject({ result: { id: Number(chat.id), type: 'channel', username: 'alice' } })
  const user_id = String(valueAt(me.body, 'result', 'id'))
  expect((await chat.read('getChatMember', { chat_id: chat.id, user_id })).body).toMatchObject({
    result: { status: 'administrator', can_post_messages: true },
  })
  const members = await chat.read('getChatMemberCount', { chat_id: chat.id })
  expect(members.body).toEqual({ ok: true, result: expect.any(Number) })
  expect((await chat.read('getChat', { chat_id: '@nobody' })).body).toEqual({
    ok: false,
    error_code: 400,
    description: 'Bad Request: chat not found',
  })
})

test('a message has a number, an answer names it, and it can be deleted for 48 hours', async () => {
  await using chat = await openChat()
  const { body } = await chat.call('sendMessage', { text: 'bells' })
  const message_id = valueAt(body, 'result', 'message_id')
  expect(message_id).toEqual(expect.any(Number))
  await chat.call('sendMessage', { text: 'more', reply_parameters: { message_id } })
  const posts = await chat.simulator.posts('?platform=telegram')
  expect(posts).toMatchObject([
    { text: 'bells', url: `${chat.simulator.url}/telegram/alice/${String(message_id)}` },
    { text: 'more', replyTo: String(message_id) },
  ])
  expect((await chat.simulator.request(new URL(textAt(posts[0], 'url')).pathname)).text).toContain('bells')
  expect((await chat.call('deleteMessage', { message_id })).body).toEqual({ ok: true, result: true })
  expect((await chat.call('deleteMessage', { message_id })).body).toMatchObject({
    description: 'Bad Request: message to delete not found',
  })
  const second = valueAt((await chat.call('sendMessage', { text: 'late' })).body, 'result', 'message_id')
  await chat.simulator.control('/clock', { advanceMs: 49 * 3_600_000 })
  expect((await chat.call('deleteMessage', { message_id: second })).status).toBe(400)
})

/** Guarantee: the text of a post with files is a caption, which is four times shorter. */
test('a text has 4096 characters, a caption 1024', async () => {
  await using chat = await openChat()
  expect((await chat.call('sendMessage', { text: 'a'.repeat(4096) })).status).toBe(200)
  expect((await chat.call('sendMessage', { text: 'a'.repeat(4097) })).body).toMatchObject({
    description: 'Bad Request: message is too long',
  })
  const caption = (length: number) =>
    chat.send('sendPhoto', formOf({ chat_id: chat.id, caption: 'a'.repeat(length), photo: photo() }))
  expect((await caption(1024)).status).toBe(200)
  expect((await caption(1025)).body).toMatchObject({ description: 'Bad Request: message caption is too long' })
})

test('an album is one post of two to ten messages, photos and videos together, documents among themselves', async () => {
  await using chat = await openChat('private-tower')
  const album = (types: string[]) => {
    const media = types.map((type, at) => ({ type, media: `attach://file${at}`, ...(at === 0 && { caption: 'bells' }) }))
    const files = Object.fromEntries(types.map((_, at) => [`file${at}`, photo()]))
    return chat.send('sendMediaGroup', formOf({ chat_id: chat.id, media: JSON.stringify(media), ...files }))
  }
  const { body } = await album(['photo', 'video', 'photo'])
  const ids = [0, 1, 2].map((at) => valueAt(body, 'result', at, 'message_id'))
  expect(await chat.simulator.posts('?platform=telegram')).toMatchObject([
    { id: ids.join(','), text: 'bells', url: `${chat.simulator.url}/telegram/c/${chat.id.slice(4)}/${String(ids[0])}` },
  ])
  expect((await album(['photo'])).status).toBe(400)
  expect((await album(['photo', 'document'])).status).toBe(400)
  expect(await chat.simulator.submits('?platform=telegram')).toMatchObject({
    carriedOut: 1,
    submits: [{ text: 'bells' }, {}, {}],
  })
})

/** Guarantee: the simulator refuses an album of which people see a part, as Telegram does. */
test('each message of an album counts, and those before the limit are published', async () => {
  await using chat = await openChat()
  for (let n = 0; n < 17; n++) await chat.call('sendMessage', { text: `bell ${n}` })
  const media = [0, 1, 2, 3].map((at) => ({ type: 'photo', media: `attach://file${at}`, ...(at === 0 && { caption: 'album' }) }))
  const files = Object.fromEntries(media.map((_, at) => [`file${at}`, photo()]))
  const answer = await chat.send('sendMediaGroup', formOf({ chat_id: chat.id, media: JSON.stringify(media), ...files }))
  expect(answer).toMatchObject({ status: 400, body: { description: expect.stringContaining('failed to send message #4 with') } })
  const posts = await chat.simulator.posts('?platform=telegram')
  expect(posts.at(-1)).toMatchObject({ text: 'album', media: [{}, {}, {}] })
})

test.each([
  ['muted-tower', 400, 'Bad Request: need administrator rights in the channel chat'],
  ['left-tower', 403, 'Forbidden: bot is not a member of the channel chat'],
])('a bot of %s may not post', async (handle, status, description) => {
  await using chat = await openChat(handle)
  expect(await chat.call('sendMessage', { text: 'bells' })).toMatchObject({ status, body: { description } })
})

test('the 21st message of a minute and an unknown token are refused', async () => {
  await using chat = await openChat()
  for (let n = 0; n < 20; n++) await chat.call('sendMessage', { text: `bell ${n}` })
  expect((await chat.call('sendMessage', { text: 'bell 20' })).body).toMatchObject({
    error_code: 429,
    parameters: { retry_after: expect.any(Number) },
  })
  expect((await chat.simulator.request('/telegram/bot1:nobody/getMe')).body).toMatchObject({ error_code: 401 })
})
