import { expect, test } from 'vitest'
import { startTestSimulator, textAt, toList, valueAt } from '../../../test/start-test-simulator.ts'

async function openServer(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, refresh, id } = await simulator.openAccount('pixelfed', handle)
  const call = (path: string, options: object = {}) => simulator.request(`/pixelfed${path}`, { token, ...options })
  const upload = (fields: Record<string, string> = {}, type = 'image/png', bytes = 9) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('file', new Blob([new Uint8Array(bytes)], { type }), 'a')
    return call('/api/v2/media', { body })
  }
  const uploadId = async () => textAt((await upload()).body, 'id')
  const post = (json: object, headers: Record<string, string> = {}) => call('/api/v1/statuses', { json, headers })
  return { simulator, refresh, id, call, upload, uploadId, post, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

test('an album has a page, is listed with its files, and its files belong to it alone', async () => {
  await using server = await openServer()
  const media = textAt((await server.upload({ description: 'A bell' })).body, 'id')
  const free = () => server.call(`/api/v1/media/${media}`)
  expect((await free()).status).toBe(200)
  const { status, body } = await server.post({ status: 'On bells & towers', media_ids: [media] })
  expect(status).toBe(200)
  expect((await server.simulator.request(new URL(textAt(body, 'url')).pathname)).text).toContain('On bells')
  const listed = (await server.call(`/api/v1/accounts/${server.id}/statuses`)).body
  expect(listed).toMatchObject([{ content: 'On bells &amp; towers', media_attachments: [{ id: media, description: 'A bell' }] }])
  expect((await free()).status).toBe(404)
  expect((await server.post({ status: 'Again', media_ids: [media] })).body).toEqual({ message: 'Invalid media_ids' })
})

test('what no post shows is deleted after two hours', async () => {
  await using server = await openServer()
  const media = await server.uploadId()
  await server.simulator.control('/clock', { advanceMs: 2 * 3_600_000 })
  expect((await server.call(`/api/v1/media/${media}`)).status).toBe(404)
  expect((await server.post({ media_ids: [media] })).status).toBe(400)
})

test('what begins like a tag is removed from a text, to its end', async () => {
  await using server = await openServer()
  for (const status of ['One <b>two</b> > 3', 'I <3 bells', '1 < 2'])
    await server.post({ status, media_ids: [await server.uploadId()] })
  const posts = await server.simulator.posts('?platform=pixelfed')
  expect(posts.map((post) => textAt(post, 'text'))).toEqual(['One two > 3', 'I ', '1 < 2'])
})

test('a key is used up by any request, and the repeat names no post', async () => {
  await using server = await openServer()
  const headers = { 'idempotency-key': 'k' }
  expect((await server.post({ status: 'alone' }, headers)).body).toEqual({ message: 'Empty statuses are not allowed' })
  const again = await server.post({ media_ids: [await server.uploadId()] }, headers)
  expect([again.status, again.body]).toEqual([400, { message: 'Duplicate idempotency key.' }])
})

test('limits are those of the server', async () => {
  await using server = await openServer('plain-alice')
  const ids = await Promise.all([1, 2, 3, 4, 5].map(() => server.uploadId()))
  expect((await server.post({ status: 'a'.repeat(501), media_ids: ids.slice(4) })).status).toBe(422)
  expect((await server.post({ media_ids: ids })).status).toBe(422)
  expect((await server.post({ visibility: 'direct', media_ids: ids.slice(4) })).status).toBe(422)
  expect((await server.upload({}, 'video/mp4')).status).toBe(422)
  expect((await server.upload({ description: 'a'.repeat(1001) })).status).toBe(422)
  expect((await server.upload({}, 'image/png', 15_000_001)).status).toBe(422)
  expect((await server.call('/api/v2/instance')).body).toMatchObject({ configuration: { statuses: { max_characters: 500 } } })
})

test('comments are listed with their post only, and may be closed', async () => {
  await using server = await openServer()
  const postId = textAt((await server.post({ media_ids: [await server.uploadId()] })).body, 'id')
  await server.post({ status: 'First', in_reply_to_id: postId })
  expect(toList((await server.call(`/api/v1/accounts/${server.id}/statuses`)).body)).toHaveLength(1)
  const { body } = await server.call(`/api/v1/statuses/${postId}/context`)
  expect(valueAt(body, 'descendants')).toMatchObject([{ content: 'First', in_reply_to_id: postId }])
  const closed = await server.post({ media_ids: [await server.uploadId()], comments_disabled: true })
  expect((await server.post({ status: 'No', in_reply_to_id: textAt(closed.body, 'id') })).status).toBe(422)
})

test('an account that was never used gets an empty list', async () => {
  await using server = await openServer('unused-anna')
  expect((await server.upload()).body).toEqual([])
  expect((await server.post({ media_ids: ['1'] })).body).toEqual([])
})

test('scopes are whole, and a refresh token works once', async () => {
  await using server = await openServer()
  const app = { client_name: 'Carillon', redirect_uris: 'https://carillon.example/' }
  const registered = (await server.simulator.request('/pixelfed/api/v1/apps', { json: app })).body
  const [client_id, client_secret] = [textAt(registered, 'client_id'), textAt(registered, 'client_secret')]
  const consent = (scope: string) => {
    const query = new URLSearchParams({ client_id, redirect_uri: app.redirect_uris, response_type: 'code', scope, auto: '1' })
    return server.simulator.request(`/pixelfed/oauth/authorize?${query}`)
  }
  expect([(await consent('read write:statuses')).status, (await consent('read write')).status]).toEqual([400, 302])
  const renew = () =>
    server.simulator.request('/pixelfed/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token: server.refresh, client_id, client_secret },
    })
  expect((await renew()).body).toMatchObject({ expires_in: 356 * 86_400, refresh_token: expect.any(String) })
  expect([(await renew()).status, valueAt((await renew()).body, 'error')]).toEqual([401, 'invalid_request'])
})
