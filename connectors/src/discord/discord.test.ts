import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { discord } from './discord.ts'

const fieldsOf = ({ account, credentials }: { account: { id: string }; credentials: { accessToken: string } }) => ({
  token: credentials.accessToken,
  channel: account.id,
})

testConnector(discord, simulate('discord', { fieldsOf }))

describe('what only Discord does', () => {
  const platform = simulate('discord', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const signIn = (token: string, channel: string) => {
    const http = createHttp({
      transport: platform.transport,
      origin: platform.origin(),
      credentials: null,
      classify: discord.classify,
      nowMs: Date.now,
    })
    return auth.open(http, { token, channel }, Date.now())
  }

  test.each([
    '%',
    ' % ',
    'https://discord.com/channels/42/%',
    'https://discord.com/channels/42/%/77',
    'https://ptb.discord.com/channels/42/%',
  ])('a channel is found as people copy it: %s', async (pattern) => {
    const { account, credentials } = await platform.connect('tower')
    const opened = await signIn(`Bot ${credentials.accessToken}\n`, pattern.replace('%', account.id))
    expect(opened).toEqual(credentials)
  })

  test.each(['', '#tower', 'https://discord.com/channels/@me/12', 'https://example.com/channels/1/2', '../users'])(
    'what names no channel is refused: "%s"',
    async (channel) => {
      const { credentials } = await platform.connect('tower')
      await expect(signIn(credentials.accessToken, channel)).rejects.toMatchObject({ kind: 'auth', platformCode: null })
    },
  )

  test('a bot that may not post, or not read what it posted, is told at once, not with the first post', async () => {
    for (const handle of ['muted-tower', 'deaf-tower', 'left-tower']) {
      const { account, credentials } = await platform.connect(handle)
      await expect(signIn(credentials.accessToken, account.id)).rejects.toMatchObject({
        kind: 'auth',
        reason: 'bot_not_admitted',
      })
    }
    for (const handle of ['granted-tower', 'administrator-tower', 'news-tower']) {
      const { account, credentials } = await platform.connect(handle)
      await expect(signIn(credentials.accessToken, account.id)).resolves.toBeDefined()
    }
  })

  test('a forum, a token that is none and one that nobody has are refused', async () => {
    const forum = await platform.connect('forum-tower')
    await expect(signIn(forum.credentials.accessToken, forum.account.id)).rejects.toMatchObject({ kind: 'auth' })
    await expect(signIn('abc', '12')).rejects.toMatchObject({ kind: 'auth', platformCode: null })
    const unknown = `${'a'.repeat(24)}.abcdef.${'b'.repeat(38)}`
    await expect(signIn(unknown, '12')).rejects.toMatchObject({ kind: 'auth', platformCode: '401', reason: 'reconnect' })
  })

  /** Guarantee: a message of a person or another bot is never taken for ours, and a bot that cannot read concludes nothing. */
  test('only messages of the own bot are ours, and an empty list tells nothing', async () => {
    const testAccount = await openTestAccount(discord, platform)
    const sent = { draft: draftFor(testAccount), staged: null, handle: newHandle() }
    expect(await find(testAccount, sent)).toEqual({ state: 'unknown' })
    const postId = await publishAndGetId(testAccount, sent.draft)
    expect(await find(testAccount, sent)).toMatchObject({ state: 'published', postId })
    const { account, credentials } = testAccount.client
    const other = clientFor(discord, platform, account, { ...credentials, extra: { ...credentials.extra, bot: '1' } })
    expect(await find({ ...testAccount, client: other }, sent)).toEqual({ state: 'absent', proof: 'listing' })
  })

  test('a post that was removed is not made again by a repeat', async () => {
    const testAccount = await openTestAccount(discord, platform)
    const [draft, handle] = [draftFor(testAccount), newHandle()]
    const outcome = await publish(testAccount, draft, handle)
    if (outcome.state !== 'published') throw new Error(outcome.state)
    await discord.remove?.(testAccount.client, outcome.postId)
    await expect(publish(testAccount, draft, handle)).rejects.toMatchObject({ kind: 'gone', platformCode: '10008' })
  })

  test('settings become the options of the message, and nobody is notified unless that is chosen', async () => {
    const testAccount = await openTestAccount(discord, platform)
    const send = async (settings: Record<string, unknown>, format: 'text' | 'photo') => {
      const draft = draftFor(testAccount, { format })
      await publish(testAccount, { ...draft, settings: { ...draft.settings, ...settings } })
      const posts = await platform.posts(testAccount.client.account.handle)
      return posts.find(({ text }) => text === draft.text)?.options
    }
    expect(await send({}, 'text')).toEqual({ 'allowed_mentions.parse': 'none' })
    expect(await send({ silent: true, linkPreview: false, mentions: 'everyone' }, 'text')).toEqual({
      'allowed_mentions.parse': 'users, roles, everyone',
      flags: String(4096 + 4),
    })
    expect(await send({ spoiler: true }, 'photo')).toMatchObject({ attachments: expect.stringContaining('"is_spoiler":true') })
  })

  test('photos and a video are one message, and reactions of all kinds are counted together', async () => {
    const testAccount = await openTestAccount(discord, platform)
    const media = [mediaFor(platform, 'image', 'One'), mediaFor(platform, 'video', 'Two')]
    const postId = await publishAndGetId(testAccount, draftFor(testAccount, { format: 'photo_carousel', media }))
    expect(await platform.posts(testAccount.client.account.handle)).toMatchObject([{ media: [{ alt: 'One' }, { alt: 'Two' }] }])
    await fetch(`${new URL(platform.origin()).origin}/_control/figures`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'discord', id: postId, likes: 5 }),
    })
    expect(await discord.metrics?.(testAccount.client, [postId, '1'])).toEqual(new Map([[postId, { likes: 5 }]]))
  })
})
