import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  stage,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { classify } from './errors.ts'
import { plainText } from './message.ts'
import { slack } from './slack.ts'

const fieldsOf = ({ account, credentials }: { account: { id: string }; credentials: { accessToken: string } }) => ({
  token: credentials.accessToken,
  channel: account.id,
})

testConnector(slack, simulate('slack', { fieldsOf }))

describe('what only Slack does', () => {
  const platform = simulate('slack', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const signIn = (token: string, channel: string) => {
    const { transport } = platform
    const http = createHttp({ transport, origin: platform.origin(), credentials: null, classify, nowMs: Date.now })
    return auth.open(http, { token, channel }, Date.now())
  }

  test.each([
    '%',
    'https://bells.slack.com/archives/%',
    'https://bells.slack.com/archives/%/p1700000000000100?x=1',
    'https://app.slack.com/client/T0123/%',
    '#tower',
    'Tower',
  ])('a channel is found as people copy or write it: %s', async (pattern) => {
    const { account, credentials } = await platform.connect('tower')
    await expect(signIn(` ${credentials.accessToken}\n`, pattern.replace('%', account.id))).resolves.toEqual(credentials)
  })

  test.each(['', 'two words', 'https://example.com/archives/C0123456789', '../users'])(
    'what names no channel is refused: "%s"',
    async (channel) => {
      const { credentials } = await platform.connect('tower')
      await expect(signIn(credentials.accessToken, channel)).rejects.toMatchObject({ kind: 'auth', platformCode: null })
    },
  )

  test('what would fail with the first post is told at once', async () => {
    const open = async (handle: string) => {
      const { account, credentials } = await platform.connect(handle)
      return signIn(credentials.accessToken, account.id)
    }
    for (const handle of ['outside-tower', 'archived-tower'])
      await expect(open(handle)).rejects.toMatchObject({ kind: 'auth', reason: 'bot_not_admitted' })
    await expect(open('scopeless-tower')).rejects.toThrow('lacks the scopes channels:history, groups:history')
    await expect(open('private-tower')).resolves.toBeDefined()
    await expect(signIn('xoxp-1234567890', 'tower')).rejects.toMatchObject({ kind: 'auth', platformCode: null })
    await expect(signIn('xoxb-1234567890', 'tower')).rejects.toMatchObject({ kind: 'auth', platformCode: 'invalid_auth' })
    const { credentials } = await platform.connect('tower')
    await expect(signIn(credentials.accessToken, '#nowhere')).rejects.toMatchObject({ platformCode: 'channel_not_found' })
  })

  test('a text is shown as written, and never becomes a mention', async () => {
    const testAccount = await openTestAccount(slack, platform)
    const text = 'Bells & <!channel> <@U123> 1 < 2'
    await publish(testAccount, draftFor(testAccount, { text }))
    expect(await findVisiblePosts(testAccount, text)).toHaveLength(1)
  })

  /** Guarantee: a lost answer is found by our own key, even if another message has the same words. */
  test('of two equal messages ours is known by its key', async () => {
    const testAccount = await openTestAccount(slack, platform)
    const draft = draftFor(testAccount)
    const [first, second] = [newHandle(), newHandle()]
    await publish(testAccount, draft, first)
    const outcome = await publish(testAccount, draft, second)
    expect(await find(testAccount, { draft, staged: null, handle: second })).toEqual(outcome)
    expect(await find(testAccount, { draft, staged: null, handle: newHandle() })).toMatchObject({ state: 'absent' })
  })

  test('a post with files is found by its files, and is absent only in the list until they are shared', async () => {
    const testAccount = await openTestAccount(slack, platform)
    const draft = draftFor(testAccount, { format: 'photo' })
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    expect(await find(testAccount, sent)).toEqual({ state: 'absent', proof: 'listing' })
    await platform.failNext(testAccount.client.account.handle, 'submit', { kind: 'drop_after' })
    await expect(send(testAccount, sent)).rejects.toMatchObject({ kind: 'unknown' })
    await platform.wait(5000)
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(await find(testAccount, sent)).toMatchObject({ state: 'published', postId: seen?.id })
  })

  test('an answer to an answer is in the thread of the first message, and can be removed', async () => {
    const testAccount = await openTestAccount(slack, platform)
    const root = await publishAndGetId(testAccount, draftFor(testAccount))
    const second = await publishAndGetId(testAccount, draftFor(testAccount, { replyTo: { postId: root } }))
    const third = await publish(testAccount, draftFor(testAccount, { replyTo: { postId: second } }))
    if (third.state !== 'published') throw new Error(third.state)
    expect(third.postId.startsWith(`${root}:`)).toBe(true)
    expect(third.postUrl).toContain(`?thread_ts=${root}&cid=`)
    await slack.remove?.(testAccount.client, third.postId)
    const posts = await platform.posts(testAccount.client.account.handle)
    expect(posts).toMatchObject([{ deleted: false }, { deleted: false, replyTo: root }, { deleted: true, replyTo: root }])
    expect(await slack.metrics?.(testAccount.client, [root, '1.000001'])).toEqual(new Map([[root, { likes: 0, comments: 1 }]]))
  })

  test('settings become the options of the message', async () => {
    const testAccount = await openTestAccount(slack, platform)
    const options = async (settings: Record<string, boolean>) => {
      const draft = draftFor(testAccount)
      await publish(testAccount, { ...draft, settings: { ...draft.settings, ...settings } })
      return (await findVisiblePosts(testAccount, draft.text))[0]?.options
    }
    expect(await options({})).toEqual({})
    expect(await options({ linkPreview: false, markup: false })).toEqual({ unfurl_links: 'no', unfurl_media: 'no', mrkdwn: 'no' })
  })

  test('a post for which the app has lost a scope says which one', async () => {
    const testAccount = await openTestAccount(slack, {
      ...platform,
      connect: () => platform.connect(`no-files-write-${randomUUID()}`),
    })
    const photo = draftFor(testAccount, { format: 'photo' })
    await expect(publish(testAccount, photo)).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('files:write'),
    })
    await expect(publish(testAccount, draftFor(testAccount))).resolves.toMatchObject({ state: 'published' })
  })

  test('no address is made from what is not an address of Slack', async () => {
    const testAccount = await openTestAccount(slack, platform)
    const { account, credentials } = testAccount.client
    const extra = { ...credentials.extra, url: 'https://example.com/' }
    const client = clientFor(slack, platform, account, { ...credentials, extra })
    expect(await publish({ ...testAccount, client }, draftFor(testAccount))).toMatchObject({ postUrl: null })
  })
})

test('a text of Slack is read as it was sent', () => {
  expect(plainText('a &lt;b&gt; &amp;amp; <https://e.example/?a=1&amp;b=2> <http://e.example|e.example>')).toBe(
    'a <b> &amp; https://e.example/?a=1&b=2 e.example',
  )
})

/** Guarantee: who has to add a scope reads which one, and a name that is none of a scope is not repeated. */
test.each([
  ['files:read', 'The Slack app lacks the scope files:read. Add it, install the app again, and reconnect.'],
  ['channels:history,groups:history', expect.stringContaining('channels:history or groups:history')],
  ['<b>', 'Slack says this connection lacks a permission. Reconnect and allow all requested permissions.'],
  [undefined, 'Slack says this connection lacks a permission. Reconnect and allow all requested permissions.'],
])('a missing scope is named: %s', (needed, message) => {
  const body = { ok: false, error: 'missing_scope', needed, provided: 'chat:write' }
  expect(classify({ status: 200, headers: {}, body }, 0)).toMatchObject({ kind: 'auth', reason: 'permission_missing', message })
})

/** The words of Slack's reference of methods. */
test.each([
  ['invalid_auth', 'auth', 'reconnect'],
  ['missing_scope', 'auth', 'permission_missing'],
  ['not_in_channel', 'auth', 'bot_not_admitted'],
  ['is_archived', 'auth', 'bot_not_admitted'],
  ['thread_not_found', 'gone', 'not_found'],
  ['msg_too_long', 'rejected', 'text_too_long'],
  ['file_type_not_allowed', 'rejected', 'file_kind'],
  ['a_new_word', 'rejected', 'refused'],
  ['service_unavailable', 'unavailable', 'unreachable'],
  ['internal_error', 'unknown', null],
  ['fatal_error', 'unknown', null],
])('a refusal with status 200: %s', (error, kind, reason) => {
  expect(classify({ status: 200, headers: {}, body: { ok: false, error } }, 0)).toMatchObject({
    kind,
    reason,
    platformCode: error,
  })
})
