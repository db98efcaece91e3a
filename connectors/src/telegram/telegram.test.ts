import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { clientFor, draftFor, mediaFor, openTestAccount, publish, publishAndGetId } from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { telegram } from './telegram.ts'

const fieldsOf = ({ account, credentials }: { account: { handle: string }; credentials: { accessToken: string } }) => ({
  botToken: credentials.accessToken,
  chat: `@${account.handle}`,
})

testConnector(telegram, simulate('telegram', { showsAlt: false, handleOf: (name) => name.replaceAll('-', '_'), fieldsOf }))

describe('what only Telegram does', () => {
  const platform = simulate('telegram', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const signIn = (botToken: string, chat: string) => {
    const { transport } = platform
    const http = createHttp({
      transport,
      origin: platform.origin(),
      credentials: null,
      classify: telegram.classify,
      nowMs: Date.now,
    })
    return auth.open(http, { botToken, chat }, Date.now())
  }

  test.each(['@tower', 'tower', 't.me/tower', ' https://t.me/Tower/ ', 'https://t.me/s/tower', 'number'])(
    'a chat is found as people write it: %s',
    async (entered) => {
      const { account, credentials } = await platform.connect('tower')
      const opened = await signIn(` ${credentials.accessToken}\n`, entered === 'number' ? account.id : entered)
      expect(opened).toEqual({ accessToken: credentials.accessToken, extra: { chat: account.id } })
    },
  )

  test.each(['', 'https://t.me/+AbCdEf', 'two words', 'https://example.com/tower'])(
    'what names no chat is refused: "%s"',
    async (chat) => {
      const { credentials } = await platform.connect('tower')
      await expect(signIn(credentials.accessToken, chat)).rejects.toMatchObject({ kind: 'auth', platformCode: null })
    },
  )

  test('a bot that may not post is told at once, not with the first post', async () => {
    for (const handle of ['muted-tower', 'left-tower']) {
      const { account, credentials } = await platform.connect(handle)
      await expect(signIn(credentials.accessToken, account.id)).rejects.toMatchObject({
        kind: 'auth',
        reason: 'bot_not_admitted',
      })
    }
    const { account, credentials } = await platform.connect('group-ringers')
    await expect(signIn(credentials.accessToken, account.id)).resolves.toBeDefined()
  })

  test.each(['', 'abc', '1:../getUpdates', '12:abcdefghijklmnopqrstu/x', '12:abcdefghijklmnopqrstu?x'])(
    'guarantee: what is no token is never part of an address: "%s"',
    async (botToken) => {
      await expect(signIn(botToken, '@tower')).rejects.toMatchObject({ kind: 'auth', platformCode: null })
    },
  )

  /** Guarantee: the limit in the manifest is that of the platform, so no post with a file fails at its time. */
  test('a caption at the limit is accepted, one character more is refused', async () => {
    const testAccount = await openTestAccount(telegram, platform)
    const caption = (length: number) => draftFor(testAccount, { format: 'photo', text: 'a'.repeat(length) })
    const max = telegram.manifest.text.maxWithFiles ?? 0
    await expect(publish(testAccount, caption(max))).resolves.toMatchObject({ state: 'published' })
    await expect(publish(testAccount, caption(max + 1))).rejects.toMatchObject({ kind: 'rejected', reason: 'text_too_long' })
  })

  test('an album of photos and a video is one post, which is answered and removed as a whole', async () => {
    const testAccount = await openTestAccount(telegram, platform)
    const media = [mediaFor(platform, 'image', ''), mediaFor(platform, 'video', ''), mediaFor(platform, 'image', '')]
    const album = draftFor(testAccount, { format: 'photo_carousel', media })
    const postId = await publishAndGetId(testAccount, album)
    expect(postId.split(',')).toHaveLength(3)
    await publish(testAccount, draftFor(testAccount, { replyTo: { postId } }))
    const seen = () => platform.posts(testAccount.client.account.handle)
    expect(await seen()).toMatchObject([{ text: album.text, media: [{}, { mime: 'video/mp4' }, {}] }, { replyTo: postId }])
    await telegram.remove?.(testAccount.client, postId)
    expect(await seen()).toMatchObject([{ deleted: true }, { deleted: false }])
  })

  /** Guarantee: an album of which people may see a part is never reported as refused. */
  test('an album that Telegram stopped in its middle is in doubt', async () => {
    const testAccount = await openTestAccount(telegram, platform)
    for (let n = 0; n < 18; n++) await publish(testAccount, draftFor(testAccount))
    const media = [0, 1, 2, 3].map(() => mediaFor(platform, 'image', ''))
    const album = draftFor(testAccount, { format: 'photo_carousel', media })
    await expect(publish(testAccount, album)).rejects.toMatchObject({ kind: 'unknown', platformCode: '400' })
    const seen = await platform.posts(testAccount.client.account.handle)
    expect(seen.find(({ text }) => text === album.text)?.media).toHaveLength(2)
  })

  /** Guarantee: a post whose number is not known is neither answered as another one nor reported as removed. */
  test('a video that Telegram publishes later by itself has no number', async () => {
    const { account, credentials } = await platform.connect('crowded-tower')
    const client = clientFor(telegram, platform, account, credentials)
    const testAccount = { ...(await openTestAccount(telegram, platform)), client }
    const postId = await publishAndGetId(testAccount, draftFor(testAccount, { format: 'video' }))
    expect(postId).toMatch(/^later:/)
    const answer = draftFor(testAccount, { replyTo: { postId } })
    await expect(publish(testAccount, answer)).rejects.toMatchObject({ kind: 'rejected', reason: 'thread_stopped' })
    await expect(telegram.remove?.(client, postId)).rejects.toMatchObject({ kind: 'rejected' })
    expect(await platform.posts(account.handle)).toMatchObject([{ deleted: false }])
  })

  test('a private chat has the address that its members can open', async () => {
    const { account, credentials } = await platform.connect('private-tower')
    const client = { ...(await openTestAccount(telegram, platform)).client }
    const http = createHttp({
      ...telegram,
      transport: platform.transport,
      origin: platform.origin(),
      credentials,
      nowMs: Date.now,
    })
    const found = await telegram.account({ ...client, http, credentials })
    expect(found).toMatchObject({ id: account.id, handle: account.id })
    const draft = draftFor({ connector: telegram, testPlatform: platform })
    const outcome = await telegram.submit({ http, account: found, credentials }, draft as never, null, { key: 'k', atMs: 0 })
    expect(outcome).toMatchObject({ postUrl: expect.stringMatching(new RegExp(`^https://t.me/c/${account.id.slice(4)}/\\d+$`)) })
  })

  test('settings become the options of the message', async () => {
    const testAccount = await openTestAccount(telegram, platform)
    const send = async (settings: Record<string, boolean>, format: 'text' | 'photo') => {
      const draft = draftFor(testAccount, { format })
      await publish(testAccount, { ...draft, settings: { ...draft.settings, ...settings } })
      const posts = await platform.posts(testAccount.client.account.handle)
      return posts.find(({ text }) => text === draft.text)?.options
    }
    expect(await send({}, 'text')).toEqual({})
    expect(await send({ silent: true, protect: true, linkPreview: false }, 'text')).toEqual({
      disable_notification: 'yes',
      protect_content: 'yes',
      'link_preview_options.is_disabled': 'yes',
    })
    expect(await send({ silent: true }, 'photo')).toEqual({ disable_notification: 'yes' })
  })

  test('a message that Telegram publishes later by itself is published, without an address', async () => {
    const answer = { status: 200, headers: {}, text: async () => '{"ok":true,"result":{"message_id":0}}' }
    const credentials = { accessToken: '1:token' }
    const http = createHttp({
      ...telegram,
      transport: async () => answer,
      origin: 'https://api.telegram.org',
      credentials,
      nowMs: Date.now,
    })
    const draft = draftFor({ connector: telegram, testPlatform: platform })
    const client = { http, account: { id: '-1001', handle: 'tower' }, credentials }
    expect(await telegram.submit(client, draft as never, null, { key: 'k1', atMs: 0 })).toEqual({
      state: 'published',
      postId: 'later:k1',
      postUrl: null,
    })
  })
})
