import { readWarning } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  stage,
  type TestAccount,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import type { Transport } from '../kit/http.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { simulate } from '../../test/simulate.ts'
import { testConnector } from '../kit/test-connector.ts'
import { publicKeyOf } from './keys.ts'
import { nostr } from './nostr.ts'
import { StagedNote } from './wire.ts'

const open = () =>
  simulate('nostr', {
    fieldsOf: ({ credentials }) => ({ secretKey: credentials.accessToken, mediaServer: credentials.extra?.mediaServer ?? '' }),
    isFilteredOnOpening: true,
  })

testConnector(nostr, open())

describe('Nostr', () => {
  const testPlatform = open()
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** An account whose connection names these relays besides the first one. */
  async function withRelays(names: readonly string[], extra: Record<string, string> = {}): Promise<TestAccount> {
    const opened = await openTestAccount(nostr, testPlatform)
    const { account, credentials } = opened.client
    const relays = names.map((name) => (name.startsWith('http') ? name : `${testPlatform.origin()}/relay/${name}`)).join(' ')
    const changed = { ...credentials, extra: { ...credentials.extra, relays, ...extra } }
    return { ...opened, client: clientFor(nostr, testPlatform, account, changed) }
  }

  const publishWith = async (names: readonly string[]) => {
    const account = await withRelays(names)
    const draft = draftFor(account)
    return { outcome: await publish(account, draft), seen: await findVisiblePosts(account, draft.text) }
  }

  test('a post goes to every relay, and is one post', async () => {
    const { outcome, seen } = await publishWith(['second', 'third'])
    expect(outcome).toMatchObject({ state: 'published', warnings: [] })
    expect(seen).toHaveLength(1)
  })

  /** Guarantee: what one relay has taken is published, and the person learns which ones have not. */
  test('relays that refuse or are away are named', async () => {
    const { outcome, seen } = await publishWith(['closed', 'http://127.0.0.1:9', 'paid'])
    expect(seen).toHaveLength(1)
    const [warning = ''] = outcome.state === 'published' ? (outcome.warnings ?? []) : []
    const { host } = new URL(testPlatform.origin())
    expect(readWarning(warning)).toMatchObject({
      code: 'servers_missed',
      params: { servers: expect.stringContaining('127.0.0.1:9') },
    })
    expect(warning.split(host)).toHaveLength(3)
  })

  const refusals = [
    {
      relays: ['closed'],
      error: { kind: 'rejected', platformCode: 'blocked', platformMessage: 'blocked: only friends write here' },
    },
    { relays: ['paid'], error: { kind: 'auth', reason: 'reconnect' } },
    { relays: ['work'], error: { kind: 'rejected', platformCode: 'pow' } },
    { relays: ['closed', 'busy'], error: { kind: 'limited', reason: 'slow_down' } },
    { relays: ['closed', 'http://127.0.0.1:9'], error: { kind: 'unavailable', reason: 'unreachable' } },
  ]
  test.for(refusals)(
    'if no relay takes it, the least final refusal counts: $relays',
    async ({ relays: [first = '', ...others], error }) => {
      const account = await withRelays(others)
      const http = createHttp({ ...nostr, ...httpOf(account), origin: `${testPlatform.origin()}/relay/${first}` })
      const draft = draftFor(account)
      const staged = await stage(account, draft)
      const sending = nostr.submit({ ...account.client, http }, { ...draft, settings: {} }, staged, newHandle())
      await expect(sending).rejects.toMatchObject(error)
      expect(await findVisiblePosts(account, draft.text)).toHaveLength(0)
    },
  )

  test('a relay that wants to know who writes is told, and only that one', async () => {
    const account = await withRelays([])
    const http = createHttp({ ...nostr, ...httpOf(account), origin: `${testPlatform.origin()}/relay/members` })
    const members = { ...account, client: { ...account.client, http } }
    const draft = draftFor(account)
    const postId = await publishAndGetId(members, draft)
    expect(await findVisiblePosts(account, draft.text)).toHaveLength(1)
    await expect(publish(members, draftFor(account, { replyTo: { postId } }))).resolves.toMatchObject({ state: 'published' })
    const said = await saidBy(account, (spied) => publish(spied, draftFor(spied)))
    expect(said.filter((text) => text.startsWith('["AUTH"'))).toEqual([])
  })

  /** Guarantee: two people may post the same words from one account in the same second. */
  test('equal words in one second are two posts, and the same send twice is one', async () => {
    const account = await openTestAccount(nostr, testPlatform)
    const draft = draftFor(account)
    const staged = await stage(account, draft)
    const [one, two] = [newHandle(), newHandle()]
    const ids = []
    for (const handle of [one, two, one]) {
      const outcome = await send(account, { draft, staged, handle })
      ids.push(outcome.state === 'published' ? outcome.postId : null)
    }
    expect(ids[0]).toBe(ids[2])
    expect(new Set(ids).size).toBe(2)
    expect(await findVisiblePosts(account, draft.text)).toHaveLength(2)
    expect(await find(account, { draft, staged, handle: two })).toMatchObject({ state: 'published', postId: ids[1] })
    expect(await find(account, { draft, staged: null, handle: two })).toMatchObject({ state: 'published', postId: ids[1] })
  })

  test('while one relay does not answer, nothing is said to be absent', async () => {
    const account = await withRelays(['http://127.0.0.1:9'])
    const draft = draftFor(account)
    const staged = await stage(account, draft)
    expect(await find(account, { draft, staged, handle: newHandle() })).toEqual({ state: 'unknown' })
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'unknown' })
  })

  /** Guarantee: the secret key signs and is never sent, to relays and media servers alike. */
  test('the secret key does not leave', async () => {
    const account = await openTestAccount(nostr, testPlatform)
    const said = await saidBy(account, async (spied) => {
      const draft = draftFor(spied, { format: 'photo', media: [mediaFor(testPlatform, 'image', 'A bell')] })
      const postId = await publishAndGetId(spied, draft)
      await nostr.account(spied.client)
      await nostr.remove?.(spied.client, postId)
    })
    expect(said.length).toBeGreaterThan(3)
    const { accessToken } = account.client.credentials
    expect(said.filter((text) => text.includes(accessToken) || text.includes(publicKeyOf(accessToken))).length).toBeGreaterThan(2)
    expect(said.filter((text) => text.includes(accessToken))).toEqual([])
  })

  test('the third note of a thread names the first and the second', async () => {
    const account = await openTestAccount(nostr, testPlatform)
    const first = await publishAndGetId(account, draftFor(account))
    const second = await publishAndGetId(account, draftFor(account, { replyTo: { postId: first } }))
    const { tags } = await stagedNote(account, draftFor(account, { replyTo: { postId: second } }))
    const marked = tags.filter(([name]) => name === 'e').map(([, id, , marker]) => [id, marker])
    expect(marked).toEqual([
      [first, 'root'],
      [second, 'reply'],
    ])
  })

  test('topics, people, quotes and a warning are tags', async () => {
    const account = await openTestAccount(nostr, testPlatform)
    const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6'
    const nprofile =
      'nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p'
    const text = `Hear, #Bells and #bells at https://bells.example/#top, nostr:${npub}, nostr:${nprofile} and nostr:npub1broken0000000000000000`
    const { tags, content } = await stagedNote(account, draftFor(account, { text, settings: { contentWarning: 'Loud' } }))
    expect(content).toBe(text)
    expect(tags).toEqual([
      ['p', '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d'],
      ['t', 'bells'],
      ['content-warning', 'Loud'],
    ])
  })

  test('a file has its address in the text and its facts in a tag', async () => {
    const account = await openTestAccount(nostr, testPlatform)
    const media = [mediaFor(testPlatform, 'image', 'A bell\nin a tower')]
    const { tags, content } = await stagedNote(account, draftFor(account, { format: 'photo', text: 'Look', media }))
    const [url = ''] = content.split('\n\n').slice(1)
    expect(url).toMatch(/^http.*\/[\da-f]{64}\.jpg$/)
    expect(tags).toEqual([
      ['imeta', `url ${url}`, 'm image/jpeg', expect.stringMatching(/^x [\da-f]{64}$/), 'dim 640x640', 'alt A bell in a tower'],
    ])
  })

  test('without a media server there are texts only, and a file is refused with what to do', async () => {
    const account = await withRelays([], { mediaServer: '' })
    expect((await nostr.capabilities?.read(account.client))?.rules).toEqual({ formats: ['text'] })
    const media = [mediaFor(testPlatform, 'image', '')]
    const refused = stage(account, draftFor(account, { format: 'photo', media }))
    await expect(refused).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining('media server') })
  })

  const mistakes = [
    { fields: { secretKey: 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6' }, said: /public key/ },
    { fields: { secretKey: '0'.repeat(64) }, said: /nsec1/ },
    { fields: { secretKey: 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe6' }, said: /nsec1/ },
    { fields: { relays: 'http://127.0.0.1:9' }, said: /No relay answers at 127\.0\.0\.1:9/ },
    { fields: { relays: 'mailto:bells@bells.example' }, said: /is no address/ },
    { fields: { relays: Array.from({ length: 10 }, (_, n) => `r${n}.example`).join(', ') }, said: /at most 9/ },
  ]
  test.for(mistakes)('connecting says which mistake was made: $said', async ({ fields, said }) => {
    const { client } = await openTestAccount(nostr, testPlatform)
    const http = createHttp({ ...nostr, ...httpOf({ client }), credentials: null })
    if (nostr.auth.kind !== 'password') throw new Error('Nostr has a form.')
    const opening = nostr.auth.open(http, { secretKey: client.credentials.accessToken, ...fields }, Date.now())
    await expect(opening).rejects.toMatchObject({ kind: 'auth', message: expect.stringMatching(said) })
  })

  test('a key is taken as NIP-19 writes it, and relays with or without wss', async () => {
    const { client } = await openTestAccount(nostr, testPlatform)
    const http = createHttp({ ...nostr, ...httpOf({ client }), credentials: null })
    if (nostr.auth.kind !== 'password') throw new Error('Nostr has a form.')
    const second = `${testPlatform.origin().replace('http', 'ws')}/relay/second/`
    const secretKey = ' nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5 '
    expect(await nostr.auth.open(http, { secretKey, relays: second }, Date.now())).toEqual({
      accessToken: '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa',
      extra: {
        publicKey: '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e',
        relays: `${testPlatform.origin()}/relay/second`,
        mediaServer: '',
      },
    })
  })

  test('a name that somebody else has signed, or nobody, is not ours', async () => {
    const account = await openTestAccount(nostr, testPlatform)
    const transport: Transport = async (request) => {
      const reply = await testPlatform.transport(request)
      return { ...reply, text: async (max) => (await reply.text(max)).replaceAll(account.client.account.handle, 'president') }
    }
    const { account: known, credentials } = account.client
    const read = await nostr.account(clientFor(nostr, { ...testPlatform, transport }, known, credentials))
    expect(read).toMatchObject({ id: known.id, handle: expect.stringMatching(/^npub1/), avatarUrl: null })
  })

  async function stagedNote(account: TestAccount, draft: ReturnType<typeof draftFor>) {
    const staged = await stage(account, draft)
    if (!isOfShape(StagedNote, staged)) throw new Error('Nothing was staged.')
    return staged
  }

  function httpOf({ client: { credentials } }: Pick<TestAccount, 'client'>) {
    return { transport: testPlatform.transport, origin: testPlatform.origin(), credentials, nowMs: testPlatform.nowMs }
  }

  /** All that is sent, headers included. Signatures of uploads are read from their encoding. */
  async function saidBy(account: TestAccount, act: (spied: TestAccount) => Promise<unknown>): Promise<string[]> {
    const said: string[] = []
    const transport: Transport = (request) => {
      const { conversation, body, headers, url } = request
      const encoded = headers['authorization']?.split(' ')[1] ?? ''
      said.push(url, JSON.stringify(headers), Buffer.from(encoded, 'base64').toString(), typeof body === 'string' ? body : '')
      const next = (message: string) => {
        const answer = conversation?.next(message) ?? 'end'
        if (answer !== 'end') said.push(...answer)
        return answer
      }
      return testPlatform.transport({ ...request, ...(conversation && { conversation: { ...conversation, next } }) })
    }
    const { account: own, credentials } = account.client
    await act({ ...account, client: clientFor(nostr, { ...testPlatform, transport }, own, credentials) })
    return said.filter((text) => text !== '')
  }
})
