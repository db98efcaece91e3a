import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startTestSimulator, textAt, toList, valueAt } from '../../../test/start-test-simulator.ts'

const update = { topicType: 'STANDARD', summary: 'The bells ring at noon.' }
const schedule = {
  startDate: { year: 2026, month: 12, day: 24 },
  startTime: { hours: 18, minutes: 0 },
  endDate: { year: 2026, month: 12, day: 24 },
  endTime: { hours: 20, minutes: 0 },
}
const event = { title: 'Bells', schedule }

async function open(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('googlebusiness', handle)
  const call = (path: string, more: object = {}) => simulator.request(`/googlebusiness${path}`, { token, ...more })
  const posts = `/v4/${id}/localPosts`
  const post = (json: object) => call(posts, { json })
  const list = async () => toList(valueAt((await call(`${posts}?pageSize=100`)).body, 'localPosts'))
  const get = (body: unknown) => call(`/v4/${textAt(body, 'name')}`)
  const wait = (advanceMs: number) => simulator.control('/clock', { advanceMs })
  return { simulator, id, call, posts, post, list, get, wait, [Symbol.asyncDispose]: simulator[Symbol.asyncDispose] }
}

/** A server with a photo, as the one of an installation. */
async function serve(mime: string, bytes: Buffer) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': mime, 'content-length': bytes.length }).end(bytes)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bell`,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
const jpeg = Buffer.from('ffd8ffe000104a4649460001', 'hex')

test('a post is in review for a while, is live then, and is listed until it is deleted', async () => {
  await using account = await open()
  const { status, body } = await account.post({ ...update, callToAction: { actionType: 'BOOK', url: 'https://a.example/' } })
  expect([status, body]).toEqual([200, expect.objectContaining({ ...update, state: 'PROCESSING' })])
  expect(body).not.toHaveProperty('searchUrl')
  expect(textAt(body, 'name')).toMatch(/^accounts\/\d{20}\/locations\/\d{19}\/localPosts\/\d{19}$/)
  await account.wait(500)
  const live = await account.get(body)
  expect(live.body).toMatchObject({ state: 'LIVE', searchUrl: expect.stringContaining('/place?use=posts&lpsid=') })
  const page = new URL(textAt(live.body, 'searchUrl'))
  expect((await account.simulator.request(page.pathname + page.search)).text).toContain('The bells ring at noon.')
  expect(await account.list()).toHaveLength(2)
  const path = `/v4/${textAt(body, 'name')}`
  expect(await account.call(path, { method: 'DELETE' })).toMatchObject({ status: 200, body: {} })
  expect(await account.call(path, { method: 'DELETE' })).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } })
  expect(await account.list()).toMatchObject([{ summary: 'We are open.' }])
})

test.for([
  ['topic_type', { topicType: undefined }],
  ['summary', { summary: 'a'.repeat(1501) }],
  ['summary', { summary: ' ' }],
  ['event', { event }],
  ['offer', { offer: { couponCode: 'BELL' } }],
  ['call_to_action.url', { callToAction: { actionType: 'CALL', url: 'https://a.example/' } }],
  ['call_to_action.url', { callToAction: { actionType: 'SHOP', url: 'nowhere' } }],
  ['event.title', { topicType: 'EVENT', event: { ...event, title: ' ' } }],
  ['event.title', { topicType: 'OFFER', event: { ...event, title: 'a'.repeat(59) } }],
  ['event.schedule', { topicType: 'EVENT', event: { title: 'a', schedule: { ...schedule, endTime: undefined } } }],
  ['event.schedule', { topicType: 'EVENT', event: { title: 'a', schedule: { ...schedule, endTime: { hours: 17 } } } }],
  [
    'event.schedule',
    { topicType: 'EVENT', event: { title: 'a', schedule: { ...schedule, endDate: { year: 2027, month: 2, day: 30 } } } },
  ],
  ['offer.redeem_online_url', { topicType: 'OFFER', event, offer: { redeemOnlineUrl: 'nowhere' } }],
  ['media', { media: [{ mediaFormat: 'VIDEO', sourceUrl: 'https://a.example/a.mp4' }] }],
  ['media', { media: [1, 2].map(() => ({ mediaFormat: 'PHOTO', sourceUrl: 'https://a.example/a.jpg' })) }],
  ['media.source_url', { media: [{ mediaFormat: 'PHOTO', dataRef: { resourceName: 'a' } }] }],
] as const)('what a post may not have is refused with its field: %s %j', async ([field, change]) => {
  await using account = await open()
  const type = 'type.googleapis.com/google.mybusiness.v4.ValidationError'
  expect(await account.post({ ...update, ...change })).toMatchObject({
    status: 400,
    body: { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ '@type': type, errorDetails: [{ field }] }] } },
  })
  expect(await account.simulator.posts()).toHaveLength(0)
})

test('a name that the API does not know, a value of no list and another kind of body are refused before that', async () => {
  await using account = await open()
  const badRequest = { status: 400, body: { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest' }] } } }
  expect(await account.post({ ...update, text: 'a' })).toMatchObject(badRequest)
  expect(await account.post({ ...update, topicType: 'NEWS' })).toMatchObject(badRequest)
  expect(await account.post({ ...update, callToAction: { actionType: 'RING', url: 'https://a.example/' } })).toMatchObject(
    badRequest,
  )
  expect(await account.call(account.posts, { form: { topicType: 'STANDARD', summary: 'a' } })).toMatchObject(badRequest)
})

test('the limits themselves, an event and an offer are taken', async () => {
  await using account = await open()
  const whole = { topicType: 'EVENT', event: { ...event, title: 'a'.repeat(58) }, summary: 'a'.repeat(1500) }
  expect((await account.post(whole)).status).toBe(200)
  const offer = { couponCode: 'a'.repeat(58), redeemOnlineUrl: 'https://a.example/', termsConditions: 'While bells last.' }
  // The button of an offer is ignored.
  const ignored = { actionType: 'SHOP', url: 'nowhere' }
  expect(await account.post({ topicType: 'OFFER', event, offer, callToAction: ignored })).toMatchObject({
    status: 200,
    body: { offer },
  })
  expect((await account.post({ ...update, callToAction: { actionType: 'CALL' } })).status).toBe(200)
})

test('the review refuses a telephone number without a reason, and nobody ever sees the post', async () => {
  await using account = await open()
  const { status, body } = await account.post({ ...update, summary: 'Call +49 221 1234567.' })
  expect([status, textAt(body, 'state')]).toEqual([200, 'PROCESSING'])
  await account.wait(500)
  const { body: refused } = await account.get(body)
  expect([textAt(refused, 'state'), refused]).toEqual(['REJECTED', expect.not.objectContaining({ searchUrl: expect.anything() })])
  expect(await account.simulator.posts()).toHaveLength(0)
})

test('a photo is fetched after the answer, and a post whose photo cannot be used is refused by the review', async () => {
  await using account = await open()
  await using good = await serve('image/jpeg', jpeg)
  await using bad = await serve('image/webp', Buffer.from('RIFF'))
  const withPhoto = (sourceUrl: string) => account.post({ ...update, media: [{ mediaFormat: 'PHOTO', sourceUrl }] })
  const stateOf = async (body: unknown) => {
    await account.wait(500)
    return textAt((await account.get(body)).body, 'state')
  }
  const { body } = await withPhoto(good.url)
  await expect.poll(() => stateOf(body)).toBe('LIVE')
  expect((await account.get(body)).body).toMatchObject({ media: [{ mediaFormat: 'PHOTO' }] })
  for (const url of [bad.url, 'http://127.0.0.1:1/bell.jpg']) {
    const { body: other } = await withPhoto(url)
    await expect.poll(() => stateOf(other)).toBe('REJECTED')
  }
  expect(await account.simulator.posts()).toMatchObject([{ media: [{ mime: 'image/jpeg' }] }])
})

test('a person sees their accounts and the locations in them, page by page, with the fields that they ask for', async () => {
  await using account = await open('agency-bells')
  const accounts = toList(valueAt((await account.call('/v1/accounts')).body, 'accounts'))
  expect(accounts).toMatchObject([{ type: 'PERSONAL' }, { type: 'LOCATION_GROUP' }])
  const [own, group] = accounts.map((each) => textAt(each, 'name'))
  expect((await account.call(`/v1/${own}/locations?readMask=name`)).body).toEqual({})
  const first = await account.call(`/v1/${group}/locations?readMask=name,metadata&pageSize=100`)
  expect(toList(valueAt(first.body, 'locations'))).toHaveLength(100)
  const next = textAt(first.body, 'nextPageToken')
  const second = await account.call(`/v1/${group}/locations?readMask=name,title&pageSize=100&pageToken=${next}`)
  expect(toList(valueAt(second.body, 'locations'))).toHaveLength(20)
  expect(Object.keys(Object(valueAt(second.body, 'locations', 0)))).toEqual(['name', 'title'])
  expect(second.body).not.toHaveProperty('nextPageToken')
  for (const mask of ['', 'name,colour'])
    expect(await account.call(`/v1/${group}/locations?readMask=${mask}`)).toMatchObject({ status: 400 })
})

test('another location is not theirs, an unknown one is not found, and one that is not verified takes no posts', async () => {
  await using account = await open()
  const other = await account.simulator.openAccount('googlebusiness', 'bob')
  expect(await account.call(`/v4/${other.id}/localPosts`, { json: update })).toMatchObject({ status: 403 })
  expect((await account.call('/v4/accounts/1/locations/1/localPosts', { json: update })).status).toBe(404)
  await using unverified = await open('alice-unverified')
  expect(await unverified.post(update)).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } })
  expect(
    (await unverified.call(`/v1/${unverified.id.slice(unverified.id.indexOf('locations'))}?readMask=metadata`)).body,
  ).not.toHaveProperty('metadata.canOperateLocalPost')
})

test('a project that was not approved has a quota of 0, an approved one 300 a minute', async () => {
  await using account = await open()
  const quotaOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    valueAt(body, 'error', 'details', 0, 'metadata', 'quota_limit_value'),
  ]
  await account.simulator.control('/settings', { platform: 'googlebusiness', audited: false })
  for (const path of ['/v1/accounts', account.posts]) expect(quotaOf(await account.call(path))).toEqual([429, '0'])
  await account.simulator.control('/settings', { platform: 'googlebusiness', audited: true, limits: { requests: { max: 3 } } })
  expect((await account.call('/v1/accounts')).status).toBe(200)
  expect(quotaOf(await account.call('/v1/accounts'))).toEqual([429, '300'])
  await account.wait(60_000)
  expect((await account.call('/v1/accounts')).status).toBe(200)
})

test('a token without the permission is refused by every call', async () => {
  await using account = await open()
  const path = `/googlebusiness/o/oauth2/v2/auth?response_type=code&client_id=id&redirect_uri=https://a.example/&scope=email&state=s&auto=1&handle=alice`
  const { headers } = await account.simulator.request(path)
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, client_id: 'id', client_secret: 's', redirect_uri: 'https://a.example/' }
  const token = textAt((await account.simulator.request('/googlebusiness/token', { form })).body, 'access_token')
  for (const each of ['/v1/accounts', account.posts])
    expect(await account.call(each, { token })).toMatchObject({
      status: 403,
      body: { error: { details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } },
    })
})
