import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  newText,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  type TestAccount,
} from '../kit/conformance/test-account.ts'
import type { Draft } from '../kit/connector.ts'
import { createHttp } from '../kit/create-http.ts'
import type { Transport } from '../kit/http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { describePost } from './content.ts'
import { classify } from './errors.ts'
import { googlebusiness } from './googlebusiness.ts'
import { listLocations } from './locations.ts'
import { origin } from './origin.ts'
import type { Settings } from './settings.ts'

const options = { showsAlt: false }
testConnector(googlebusiness, simulate('googlebusiness', options))

const event = { title: 'Bells at noon', start: '2026-12-24', end: '2026-12-24T18:30' } as const
const settingsOf = (settings: Partial<Settings> = {}): Settings => ({ topic: 'update', button: 'learn_more', ...settings })

describe('special to Google Business Profile', () => {
  const platform = simulate('googlebusiness', options)
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  async function open(name: string): Promise<TestAccount> {
    const { account, credentials } = await platform.connect(`${name}-${crypto.randomUUID().slice(0, 8)}`)
    return {
      client: clientFor(googlebusiness, platform, account, credentials),
      connector: googlebusiness,
      testPlatform: platform,
    }
  }

  const draftOf = (account: TestAccount, settings: Partial<Settings>, more: Partial<Draft> = {}) =>
    draftFor(account, { settings: settingsOf(settings), ...more })

  test('a post in review is asked about until it is over', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const draft = draftFor(account)
    const first = await send(account, { draft, staged: null, handle: newHandle() })
    expect(first).toMatchObject({ state: 'processing', checkAfterMs: 5000 })
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toMatchObject({ ...first, byWords: true })
    await platform.wait(10_000)
    const reference = first.state === 'processing' ? first.reference : ''
    expect(await googlebusiness.check?.(account.client, reference)).toMatchObject({
      state: 'published',
      postUrl: expect.stringContaining('lpsid='),
    })
  })

  /** Guarantee: what the review refuses has failed, also if the answer was lost, and is never taken for published. */
  test('a post that the review refuses', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const draft = draftFor(account, { text: `${newText()}, call +49 221 1234567` })
    const refused = { kind: 'rejected', platformCode: 'REJECTED', reason: 'review_refused', isTemporary: false }
    await expect(publish(account, draft)).rejects.toMatchObject(refused)
    const found = await find(account, { draft, staged: null, handle: newHandle() })
    expect(found.state).toBe('processing')
    const reference = found.state === 'processing' ? found.reference : ''
    await expect(googlebusiness.check?.(account.client, reference)).rejects.toMatchObject(refused)
  })

  test('a post that a server does not know yet is in review, one that somebody has deleted is gone', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    await platform.change({ readDelayMs: 30_000 })
    const sent = { draft: draftFor(account), staged: null, handle: newHandle() }
    const first = await send(account, sent)
    const reference = first.state === 'processing' ? first.reference : ''
    await platform.wait(10_000)
    expect(await googlebusiness.check?.(account.client, reference)).toMatchObject({ state: 'processing', reference })
    await platform.change({ readDelayMs: 0 })
    await googlebusiness.remove?.(account.client, reference.split('|')[0] ?? '')
    await platform.wait(3_000_000)
    await expect(googlebusiness.check?.(account.client, reference)).rejects.toMatchObject({ kind: 'gone' })
  })

  test('the question is asked less often as time goes on', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    await platform.change({ processingMs: 20 * 3_600_000 })
    const first = await send(account, { draft: draftFor(account), staged: null, handle: newHandle() })
    const reference = first.state === 'processing' ? first.reference : ''
    const waits: number[] = []
    let ms = first.state === 'processing' ? first.checkAfterMs : 0
    let passedMs = 0
    for (let round = 0; round < 120; round++) {
      passedMs += ms
      await platform.wait(ms)
      const outcome = await googlebusiness.check?.(await renewed(account), reference)
      if (outcome?.state !== 'processing') break
      ms = outcome.checkAfterMs
      waits.push(ms)
    }
    await platform.change({ processingMs: 500 })
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(passedMs).toBeGreaterThan(20 * 3_600_000)
  })

  /** An access token is valid for an hour. */
  async function renewed({ client }: TestAccount) {
    const { auth } = googlebusiness
    const credentials = await auth.renew?.({ ...client, app: platform.app, nowMs: platform.nowMs() })
    if (!credentials) throw new Error('The token was not renewed.')
    return clientFor(googlebusiness, platform, client.account, credentials)
  }

  test('an event and an offer are shown with all that belongs to them', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const linkUrl = 'https://carillon.example/bells'
    const asEvent = draftOf(account, { topic: 'event', ...event, button: 'book' }, { linkUrl })
    const asOffer = draftOf(account, { topic: 'offer', ...event, couponCode: 'BELL', terms: 'While bells last.' }, { linkUrl })
    for (const draft of [asEvent, asOffer]) await publish(account, draft)
    expect(await findVisiblePosts(account, asEvent.text)).toMatchObject([
      { link: { url: linkUrl }, options: { 'callToAction.actionType': 'BOOK', 'event.schedule.endTime.hours': '18' } },
    ])
    expect(await findVisiblePosts(account, asOffer.text)).toMatchObject([
      { link: { url: linkUrl }, options: { topicType: 'OFFER', 'offer.couponCode': 'BELL' } },
    ])
    const handle = newHandle()
    for (const draft of [asEvent, asOffer])
      expect(await find(account, { draft, staged: null, handle })).toMatchObject({ state: 'published' })
  })

  /** Guarantee: another kind, title or link is another post, or at least none that is known to be ours. */
  test('a post that is like ours', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const linkUrl = 'https://carillon.example/bells'
    const draft = draftOf(account, { topic: 'event', ...event }, { linkUrl })
    const stateFor = async (settings: Partial<Settings>, more: Partial<Draft> = {}) => {
      const like = draftOf(account, settings, { text: draft.text, linkUrl, ...more })
      return (await find(account, { draft: like, staged: null, handle: newHandle() })).state
    }
    await publish(account, draft)
    expect(await stateFor({ topic: 'event', ...event })).toBe('published')
    expect(await stateFor({ topic: 'offer', ...event })).toBe('absent')
    expect(await stateFor({})).toBe('absent')
    expect(await stateFor({ topic: 'event', ...event, title: 'Bells at one' })).toBe('absent')
    expect(await stateFor({ topic: 'event', ...event }, { linkUrl: 'https://carillon.example/others' })).toBe('unknown')
    expect(await stateFor({ topic: 'event', ...event }, { linkUrl: null })).toBe('unknown')
  })

  test('a location without any post says nothing about a lost answer', async () => {
    const account = await open('new')
    const sent = { draft: draftFor(account), staged: null, handle: newHandle() }
    expect(await find(account, sent)).toEqual({ state: 'unknown' })
    await publish(account, sent.draft)
    expect(await find(account, sent)).toMatchObject({ state: 'published' })
  })

  test('a photo that Google cannot fetch ends in the review, and a usable one is found again', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const photo = draftFor(account, { format: 'photo' })
    const lost = { ...mediaFor(platform, 'image', ''), url: async () => 'http://127.0.0.1:1/bell.jpg' }
    await expect(publish(account, { ...photo, text: newText(), media: [lost] })).rejects.toMatchObject({ kind: 'rejected' })
    await publish(account, photo)
    expect(await find(account, { draft: photo, staged: null, handle: newHandle() })).toMatchObject({ state: 'published' })
    const asText = { ...photo, format: 'text' as const }
    expect((await find(account, { draft: asText, staged: null, handle: newHandle() })).state).toBe('absent')
  })

  /** Guarantee: nothing is sent that Google would publish in another way than it was written. */
  test('a button that calls takes no link', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const calling = draftOf(account, { button: 'call' })
    await expect(publish(account, calling)).resolves.toMatchObject({ state: 'published' })
    const linked = draftOf(account, { button: 'call' }, { linkUrl: 'https://carillon.example/' })
    await expect(publish(account, linked)).rejects.toMatchObject({ kind: 'rejected' })
    expect(await findVisiblePosts(account, linked.text)).toHaveLength(0)
  })

  test('all locations of all accounts are offered once, with a name that tells them apart', async () => {
    const locations = await listLocations((await open('agency')).client.http)
    expect(new Set(locations.map(({ id }) => id)).size).toBe(120)
    const [first] = locations
    expect(first).toMatchObject({
      id: expect.stringMatching(/^accounts\/\d+\/locations\/\d+$/),
      handle: expect.stringMatching(/-branch-1$/),
      displayName: expect.stringMatching(/^The bells of .+-branch-1, Bell Street \d+, Cologne$/),
    })
    expect(await listLocations((await open('nobody')).client.http)).toEqual([])
    const codeless = await open('codeless')
    expect((await googlebusiness.account(codeless.client)).handle).toMatch(/^\d{19}$/)
  })

  test('a location that is not verified is offered only where none is', async () => {
    const bare = (locations: readonly { name: string; metadata?: object }[]): Transport => {
      return async ({ url }) => {
        const body = url.includes('/locations') ? { locations } : { accounts: [{ name: 'accounts/1' }] }
        return { status: 200, headers: {}, text: async () => JSON.stringify(body) }
      }
    }
    const namesOf = async (transport: Transport) => {
      const http = createHttp({ transport, origin, credentials: null, classify, nowMs: Date.now })
      return (await listLocations(http)).map(({ handle }) => handle)
    }
    const verified = { name: 'locations/1', metadata: { canOperateLocalPost: true } }
    expect(await namesOf(bare([{ name: 'locations/2', metadata: {} }, verified]))).toEqual(['1'])
    expect(await namesOf(bare([{ name: 'locations/2', metadata: {} }, { name: 'locations/3' }]))).toEqual(['2', '3'])
  })

  /** Guarantee: the token goes to the hosts of Google's APIs, and to nobody else. */
  test('each call goes to its own host, with the token', async () => {
    const seen: [string, string | undefined][] = []
    const transport: Transport = async ({ url, headers }) => {
      seen.push([new URL(url).host, headers.authorization])
      const body = url.includes('/localPosts')
        ? { name: 'accounts/1/locations/2/localPosts/3', state: 'LIVE' }
        : url.includes('/locations')
          ? { locations: [{ name: 'locations/2' }] }
          : { accounts: [{ name: 'accounts/1' }] }
      return { status: 200, headers: {}, text: async () => JSON.stringify(body) }
    }
    const credentials = { accessToken: 'secret' }
    const http = createHttp({ transport, origin, credentials, classify, nowMs: Date.now })
    const [location] = await listLocations(http)
    const client = { http, credentials, account: { id: location?.id ?? '', handle: '' } }
    expect(await googlebusiness.check?.(client, '3|0')).toEqual({ state: 'published', postId: '3', postUrl: null })
    expect(seen).toEqual([
      ['mybusinessaccountmanagement.googleapis.com', 'Bearer secret'],
      ['mybusinessbusinessinformation.googleapis.com', 'Bearer secret'],
      ['mybusiness.googleapis.com', 'Bearer secret'],
    ])
  })

  test('a project that was not approved, and a service that is off, are matters of the operator', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    await platform.change({ audited: false })
    const operator = { kind: 'rejected', reason: 'app_permission_missing' }
    await expect(publish(account, draftFor(account))).rejects.toMatchObject(operator)
    await expect(listLocations(account.client.http)).rejects.toMatchObject(operator)
    await platform.change({ audited: true })
    await expect(publish(await open('disabled'), draftFor(account))).rejects.toMatchObject(operator)
  })

  test('a deleted post is gone', async () => {
    const account = await openTestAccount(googlebusiness, platform)
    const postId = await publishAndGetId(account, draftFor(account))
    expect(postId).toMatch(/^\d+$/)
    await googlebusiness.remove?.(account.client, postId)
    await expect(googlebusiness.remove?.(account.client, postId)).rejects.toMatchObject({ kind: 'gone' })
  })
})

test('what a kind of post does not have is not sent', () => {
  const all = settingsOf({ ...event, couponCode: 'BELL', terms: 'a', redeemUrl: 'https://b.example/', button: 'shop' })
  const post = (topic: Settings['topic']) =>
    describePost({ text: 'Bells', linkUrl: 'https://a.example/', settings: { ...all, topic } }, null)
  const schedule = {
    startDate: { year: 2026, month: 12, day: 24 },
    startTime: { hours: 0, minutes: 0, seconds: 0, nanos: 0 },
    endDate: { year: 2026, month: 12, day: 24 },
    endTime: { hours: 18, minutes: 30, seconds: 0, nanos: 0 },
  }
  const callToAction = { actionType: 'SHOP', url: 'https://a.example/' }
  expect(post('update')).toEqual({ topicType: 'STANDARD', summary: 'Bells', callToAction })
  expect(post('event')).toEqual({ topicType: 'EVENT', summary: 'Bells', callToAction, event: { title: event.title, schedule } })
  expect(post('offer')).toEqual({
    topicType: 'OFFER',
    summary: 'Bells',
    event: { title: event.title, schedule },
    offer: { couponCode: 'BELL', redeemOnlineUrl: 'https://b.example/', termsConditions: 'a' },
  })
})

test('an end without a time is the end of its day', () => {
  const settings = settingsOf({ topic: 'event', ...event, end: '2026-12-25' })
  expect(describePost({ text: '', linkUrl: null, settings }, null)).toMatchObject({
    event: { schedule: { endDate: { day: 25 }, endTime: { hours: 23, minutes: 59 } } },
  })
})

const failed = (status: string, ...details: object[]) => ({ error: { code: 0, message: 'No.', status, details } })
const info = (reason: string, quota?: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  metadata: { quota_limit_value: quota },
})
const invalid = { errorDetails: [{ code: 2, field: 'summary', message: 'Too long.' }] }
const violation = { fieldViolations: [{ field: 'read_mask', description: 'Field is required' }] }

test.each([
  [
    400,
    failed('INVALID_ARGUMENT', invalid),
    { kind: 'rejected', platformCode: 'INVALID_ARGUMENT', platformMessage: 'Too long.' },
  ],
  [400, failed('INVALID_ARGUMENT', violation), { kind: 'rejected', platformMessage: 'Field is required' }],
  [400, { error: 'invalid_grant' }, { kind: 'auth', reason: 'reconnect' }],
  [401, { error: 'invalid_client' }, { kind: 'auth', reason: 'app_refused' }],
  [401, failed('UNAUTHENTICATED', info('ACCESS_TOKEN_EXPIRED')), { kind: 'auth', reason: 'reconnect' }],
  [403, failed('PERMISSION_DENIED'), { kind: 'auth', reason: 'role_missing' }],
  [403, failed('PERMISSION_DENIED', info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')), { kind: 'auth', reason: 'permission_missing' }],
  [403, failed('PERMISSION_DENIED', info('SERVICE_DISABLED')), { kind: 'rejected', reason: 'app_permission_missing' }],
  [404, failed('NOT_FOUND'), { kind: 'gone' }],
  [429, failed('RESOURCE_EXHAUSTED'), { kind: 'limited', retryAfterMs: 60_000 }],
  [429, failed('RESOURCE_EXHAUSTED', { retryDelay: '7.2s' }), { kind: 'limited', retryAfterMs: 8_000 }],
  [429, failed('RESOURCE_EXHAUSTED', info('RATE_LIMIT_EXCEEDED', '300')), { kind: 'limited' }],
  [429, failed('RESOURCE_EXHAUSTED', info('RATE_LIMIT_EXCEEDED', '0')), { kind: 'rejected', reason: 'app_permission_missing' }],
  [503, failed('UNAVAILABLE'), { kind: 'unknown' }],
  [500, failed('PERMISSION_DENIED'), { kind: 'unknown' }],
  [502, '<html>', { kind: 'unknown' }],
])('%i %j is %j', (status, body, expected) => {
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject(expected)
})
