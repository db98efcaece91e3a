import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

async function openChannel(handle?: string) {
  const simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('discord', handle)
  const headers = { authorization: `Bot ${token}`, 'user-agent': 'DiscordBot (https://bells.example, 1)' }
  const path = `/discord/api/v10/channels/${id}/messages`
  const send = (json: unknown) => simulator.request(path, { headers, json })
  const read = (address: string) => simulator.request(`/discord/api/v10${address}`, { headers })
  const list = async (query = '') => (await simulator.request(path + query, { headers })).body
  const remove = (message: string) => simulator.request(`${path}/${message}`, { headers, method: 'DELETE' })
  const upload = (payload: unknown, files: File[]) => {
    const form = new FormData()
    form.append('payload_json', JSON.stringify(payload))
    for (const [at, file] of files.entries()) form.append(`files[${at}]`, file)
    return simulator.request(path, { headers, body: form })
  }
  return { simulator, token, id, send, read, list, remove, upload, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const photo = (bytes = 3) => new File([new Uint8Array(bytes)], 'bell.jpg', { type: 'image/jpeg' })

test('a message is created, listed newest first, answered and deleted', async () => {
  await using channel = await openChannel()
  const first = textAt((await channel.send({ content: ' bells ' })).body, 'id')
  const second = textAt((await channel.send({ content: 'more', message_reference: { message_id: first } })).body, 'id')
  expect(await channel.list()).toMatchObject([
    { id: second, type: 19, message_reference: { message_id: first } },
    { id: first, type: 0, content: 'bells', author: { bot: true }, channel_id: channel.id },
  ])
  expect(await channel.list(`?before=${second}&limit=1`)).toMatchObject([{ id: first }])
  const [post] = await channel.simulator.posts('?platform=discord')
  expect((await channel.simulator.request(new URL(textAt(post, 'url')).pathname)).text).toContain('bells')
  expect((await channel.remove(first)).status).toBe(204)
  expect((await channel.remove(first)).body).toEqual({ message: 'Unknown Message', code: 10008 })
  expect((await channel.send({ content: 'late', message_reference: { message_id: first } })).body).toMatchObject({
    code: 50035,
    errors: { message_reference: { _errors: [{ code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE' }] } },
  })
})

/** Guarantee: within a few minutes a nonce makes no second message, and a deleted one is not made again. After that it is forgotten. */
test('an enforced nonce returns the earlier message for some minutes', async () => {
  await using channel = await openChannel()
  const send = (content: string, more = {}) => channel.send({ content, nonce: 'n1', enforce_nonce: true, ...more })
  const first = await send('bells')
  expect(first.body).toMatchObject({ nonce: 'n1' })
  expect((await send('bells')).body).toEqual(first.body)
  expect(valueAt(await channel.list(), 0, 'nonce')).toBeUndefined()
  expect(await channel.simulator.submits('?platform=discord')).toMatchObject({ carriedOut: 1 })
  await send('not enforced', { enforce_nonce: false })
  expect(await channel.simulator.posts('?platform=discord')).toHaveLength(2)
  await channel.remove(textAt(first.body, 'id'))
  expect((await send('bells')).body).toMatchObject({ code: 10008 })
  await channel.simulator.control('/clock', { advanceMs: 181_000 })
  expect((await send('bells')).status).toBe(200)
  expect((await channel.send({ content: 'bells', nonce: 'n'.repeat(26) })).body).toMatchObject({ code: 50035 })
})

test('a text has 2000 characters, a message ten files, a file ten and a request 25 MiB', async () => {
  await using channel = await openChannel()
  expect((await channel.send({ content: 'a'.repeat(2000) })).status).toBe(200)
  expect((await channel.send({ content: 'a'.repeat(2001) })).body).toMatchObject({
    errors: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } },
  })
  expect((await channel.send({ content: ' ' })).body).toMatchObject({ code: 50006 })
  const attachments = [{ id: 1, description: 'A bell' }]
  expect((await channel.upload({ content: 'two', attachments }, [photo(), photo()])).status).toBe(200)
  expect((await channel.simulator.posts('?platform=discord')).at(-1)).toMatchObject({ media: [{ alt: '' }, { alt: 'A bell' }] })
  await channel.simulator.control('/clock', { advanceMs: 10_000 })
  const mebibyte = 1024 * 1024
  expect(
    (
      await channel.upload(
        {},
        Array.from({ length: 11 }, () => photo()),
      )
    ).body,
  ).toMatchObject({ code: 30015 })
  expect((await channel.upload({}, [photo(10 * mebibyte + 1)])).body).toMatchObject({ code: 40005 })
  expect(
    await channel.upload(
      {},
      [1, 2, 3].map(() => photo(9 * mebibyte)),
    ),
  ).toMatchObject({
    status: 413,
    body: { code: 40005 },
  })
})

test.each([
  ['muted-tower', 403, 50013],
  ['left-tower', 403, 50001],
  ['forum-tower', 400, 50008],
])('the bot of %s cannot send', async (handle, status, code) => {
  await using channel = await openChannel(handle)
  expect(await channel.send({ content: 'bells' })).toMatchObject({ status, body: { code } })
})

test('who may not read the history gets an empty list and cannot answer', async () => {
  await using channel = await openChannel('deaf-tower')
  const { body } = await channel.send({ content: 'bells' })
  expect(await channel.list()).toEqual([])
  const answer = { content: 'more', message_reference: { message_id: textAt(body, 'id') } }
  expect((await channel.send(answer)).body).toMatchObject({ code: 160002 })
})

test('the sixth message in five seconds is refused, with the wait in the body and in headers', async () => {
  await using channel = await openChannel()
  for (let n = 0; n < 5; n++) await channel.send({ content: `bell ${n}` })
  const { status, body, headers } = await channel.send({ content: 'bell 5' })
  expect([status, body]).toEqual([429, { message: 'You are being rate limited.', retry_after: 5, global: false }])
  expect([headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual(['5', '0'])
})

test('a bot reads itself, its channel and its server; another scheme and other channels are refused', async () => {
  await using channel = await openChannel('news-tower')
  const bot = textAt((await channel.read('/users/@me')).body, 'id')
  const { body } = await channel.read(`/channels/${channel.id}`)
  expect(body).toMatchObject({ type: 5, name: 'news-tower' })
  const guild = textAt(body, 'guild_id')
  expect((await channel.read(`/guilds/${guild}`)).body).toMatchObject({ roles: [{ id: guild }, {}] })
  expect((await channel.read(`/guilds/${guild}/members/${bot}`)).body).toMatchObject({ user: { id: bot } })
  expect((await channel.read('/channels/1')).body).toMatchObject({ code: 10003 })
  expect((await channel.read('/guilds/1')).body).toMatchObject({ code: 10004 })
  const { token } = channel
  expect((await channel.simulator.request('/discord/api/v10/users/@me', { token })).body).toEqual({
    message: '401: Unauthorized',
    code: 0,
  })
})

/** Guarantee: a program that does not name itself as Discord wants is turned away here, too. */
test('a message of a program without the name of a bot is refused', async () => {
  await using channel = await openChannel()
  const path = `/discord/api/v10/channels/${channel.id}/messages`
  const headers = { authorization: `Bot ${channel.token}`, 'user-agent': 'Mozilla/5.0' }
  const answer = await channel.simulator.request(path, { headers, json: { content: 'bells' } })
  expect(answer).toMatchObject({ status: 403, body: { code: 40333, message: 'internal network error' } })
  expect(await channel.list()).toEqual([])
})
