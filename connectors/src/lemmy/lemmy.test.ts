import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  openTestAccount,
  newText,
  publish,
  publishAndGetId,
  send,
  stage,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { readCommunity } from './community.ts'
import { classify } from './errors.ts'
import { lemmy } from './lemmy.ts'
import { titleOf } from './title.ts'

type Connected = { account: { handle: string }; credentials: { extra?: Record<string, string> } }

const fieldsOf = ({ account, credentials }: Connected) => ({
  username: account.handle,
  accountPassword: credentials.extra?.['password'] ?? '',
  community: 'bells',
})

testConnector(lemmy, simulate('lemmy', { fieldsOf }))

describe('what only Lemmy does', () => {
  const platform = simulate('lemmy', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(lemmy, platform, handle)
  const signIn = (fields: Record<string, string>, origin = platform.origin()) => {
    const { transport } = platform
    return auth.open(createHttp({ transport, origin, credentials: null, classify, nowMs: Date.now }), fields, Date.now())
  }
  const says = (part: string) => ({ kind: 'auth', message: expect.stringContaining(part) })

  test('connecting keeps the token of the session and the community, and not the password', async () => {
    const right = fieldsOf(await platform.connect('signed'))
    const { accessToken, ...kept } = await signIn({ ...right, username: '@signed ', community: ' !bells ' })
    expect(kept).toEqual({ extra: { community: '!bells' } })
    // The token of a session is taken in place of the password.
    await expect(signIn({ ...right, accountPassword: accessToken })).resolves.toMatchObject({ accessToken })
  })

  test('connecting says which mistake was made', async () => {
    const right = fieldsOf(await platform.connect('careful'))
    await expect(signIn({ ...right, accountPassword: 'wrong' })).rejects.toMatchObject(says('user name and password'))
    await expect(signIn({ ...right, username: '' })).rejects.toMatchObject(says('user name'))
    await expect(signIn({ ...right, accountPassword: `${'a'.repeat(20)}.`.repeat(3).slice(0, -1) })).rejects.toMatchObject(
      says('token of a session'),
    )
    const known = expect.stringMatching(/no community “nowhere”.*You follow: bells@[\w.:]+, staff@/)
    await expect(signIn({ ...right, community: 'nowhere' })).rejects.toMatchObject({ kind: 'auth', message: known })
    await expect(signIn({ ...right, community: 'two words' })).rejects.toMatchObject(says('no community'))
    await expect(signIn(right, `${platform.origin()}/nowhere`)).rejects.toMatchObject(says('No Lemmy answers'))
    await expect(signIn(right, 'http://127.0.0.1:1')).rejects.toMatchObject({ kind: 'unavailable' })
    const factor = fieldsOf(await platform.connect('totp-tom'))
    await expect(signIn(factor)).rejects.toMatchObject(says('second factor'))
    await expect(signIn(fieldsOf(await platform.connect('unverified-una')))).rejects.toMatchObject(says('not confirmed'))
  })

  test('a token that is not known is noticed, although the server ignores it', async () => {
    const { client } = await open('gone')
    await platform.expireToken('gone')
    await expect(lemmy.account(client)).rejects.toMatchObject({ kind: 'auth', reason: 'reconnect' })
  })

  test('a post goes to the community it names, in its language, and is marked', async () => {
    const account = await open('sorter')
    const draft = draftFor(account, { title: 'Glocken läuten' })
    const chosen = { community: 'glocken', language: 'de', nsfw: true }
    await publish(account, { ...draft, settings: { ...draft.settings, ...chosen } })
    const [post] = await findVisiblePosts(account, draft.text)
    expect(post?.options).toEqual({ language_id: '32', nsfw: 'yes' })
    const wrong = (more: object) => stage(account, { ...draft, settings: { ...draft.settings, ...more } })
    await expect(wrong({ community: 'nowhere' })).rejects.toMatchObject({ kind: 'rejected', platformCode: 'unknown_community' })
    await expect(wrong({ language: 'xx' })).rejects.toMatchObject({ kind: 'rejected', platformCode: 'unknown_language' })
    await expect(stage(account, { ...draft, title: null, text: ' a' })).rejects.toMatchObject({ reason: 'title_refused' })
  })

  /** Guarantee: a post that people can see is not taken for one that was not sent. */
  test('a lost answer is found with and without what was staged, also of a post that is not safe for work', async () => {
    const account = await open('finder')
    const draft = draftFor(account, { title: 'Bells at night', settings: { nsfw: true, community: 'night' } })
    const staged = await stage(account, draft)
    const outcome = await send(account, { draft, staged, handle: newHandle() })
    expect(await find(account, { draft, staged, handle: newHandle() })).toEqual({ ...outcome, byWords: true })
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ ...outcome, byWords: true })
    const other = { ...draft, title: 'Bells by day' }
    expect(await find(account, { draft: other, staged, handle: newHandle() })).toEqual({ state: 'absent', proof: 'listing' })
  })

  test('where the person is not shown such posts, one that is not listed is in doubt', async () => {
    const bot = await open('bot-bertha')
    const draft = draftFor(bot)
    await publish(bot, draft)
    expect(await find(bot, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'unknown' })
    const german = await open('german-greta')
    const english = draftFor(german, { settings: { nsfw: false, language: 'en' } })
    const staged = await stage(german, english)
    await send(german, { draft: english, staged, handle: newHandle() })
    expect(await find(german, { draft: english, staged, handle: newHandle() })).toEqual({ state: 'unknown' })
  })

  test('a post whose words or link the server has changed is a doubt, and not another post', async () => {
    const account = await open('tracked')
    const text = newText()
    const linked = draftFor(account, { text, linkUrl: 'https://a.example/?b=1&utm_source=c' })
    await publish(account, linked)
    expect(await find(account, { draft: linked, staged: null, handle: newHandle() })).toEqual({ state: 'unknown' })
    const image = {
      ...draftFor(account, { format: 'photo', text: '', title: 'Only a bell' }),
      media: [mediaFor(platform, 'image', '')],
    }
    const staged = await stage(account, image)
    const outcome = await send(account, { draft: image, staged, handle: newHandle() })
    expect(await find(account, { draft: image, staged, handle: newHandle() })).toEqual({ ...outcome, byWords: true })
  })

  /** Guarantee: an error that came after the post was made does not lead to a second one. */
  test('an error after the post was made leaves the outcome open', async () => {
    const account = await open('halfway')
    const draft = draftFor(account, { title: 'Bells [no upvote]' })
    await expect(publish(account, draft)).rejects.toMatchObject({ kind: 'unknown', platformCode: 'couldnt_like_post' })
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toMatchObject({ state: 'published' })
  })

  test('a community or a post that takes nothing says so', async () => {
    const account = await open('refused')
    const draft = draftFor(account)
    const staff = { ...draft, settings: { ...draft.settings, community: 'staff' } }
    await expect(publish(account, staff)).rejects.toMatchObject({ kind: 'rejected', reason: 'role_missing' })
    const replyTo = { postId: await publishAndGetId(account, draftFor(account, { title: 'Bells [locked]' })) }
    await expect(publish(account, draftFor(account, { replyTo }))).rejects.toMatchObject({ reason: 'comments_off' })
    const banned = await open('banned-bob')
    await expect(publish(banned, draftFor(banned))).rejects.toMatchObject({ kind: 'rejected', reason: 'banned' })
  })

  test('a comment has an id of its own kind, and is removed alone', async () => {
    const account = await open('talker')
    const replyTo = { postId: await publishAndGetId(account, draftFor(account)) }
    const commentId = await publishAndGetId(account, draftFor(account, { replyTo }))
    expect(commentId).toMatch(/^comment-\d+$/)
    await lemmy.remove?.(account.client, commentId)
    expect((await platform.posts('talker')).map(({ deleted }) => deleted)).toEqual([false, true])
    await expect(lemmy.remove?.(account.client, commentId)).rejects.toMatchObject({ kind: 'gone' })
  })

  test('the seventh post in ten minutes is limited, although the status says otherwise', async () => {
    const account = await open('eager')
    for (let n = 0; n < 6; n++) await publish(account, draftFor(account))
    await expect(publish(account, draftFor(account))).rejects.toMatchObject({ kind: 'limited', platformCode: 'rate_limit_error' })
  })
})

test.each([
  ['bells', 'bells'],
  [' !bells ', 'bells'],
  ['!bells@far.example', 'bells@far.example'],
  ['https://far.example/c/bells', 'bells@far.example'],
  ['far.example/c/bells@other.example/', 'bells@other.example'],
  ['bells@Own.example', 'bells'],
  ['https://own.example/c/bells', 'bells'],
  ['https://own.example/post/1', undefined],
  ['two words', undefined],
  ['', undefined],
])('the community entered as "%s" is %s', (entered, name) => {
  expect(readCommunity(entered, 'https://own.example')).toBe(name)
})

test('a title is one line of 3 to 200 characters, from the text if there is none', () => {
  expect(titleOf({ title: ' On\nbells ', text: 'x' })).toBe('On bells')
  expect(titleOf({ title: null, text: 'First line\nSecond' })).toBe('First line')
  expect(titleOf({ title: '', text: 'A\nB\nC' })).toBe('A B C')
  expect([...titleOf({ title: null, text: '🔔'.repeat(201) })]).toHaveLength(200)
  expect(() => titleOf({ title: null, text: '' })).toThrow('refused the title')
})

/** The codes of Lemmy's own source, most with the status of a refusal. */
test.each([
  [401, { error: 'incorrect_login' }, 'auth', 'reconnect'],
  [400, { error: 'instance_is_private' }, 'auth', 'reconnect'],
  [400, { error: 'rate_limit_error' }, 'limited', 'slow_down'],
  [400, { error: 'couldnt_find_post' }, 'gone', 'not_found'],
  [400, { error: 'invalid_post_title' }, 'rejected', 'title_refused'],
  [400, { error: 'language_not_allowed' }, 'rejected', 'refused'],
  [400, { error: 'couldnt_create_post' }, 'unavailable', 'not_done'],
  [400, { error: 'unknown', message: 'pool timed out' }, 'unknown', null],
  [400, { msg: 'Unsupported media type', files: null }, 'rejected', 'file_unprocessed'],
  [413, '<html>', 'rejected', 'file_too_large'],
  [502, '<html>', 'unknown', null],
])('a refusal: %i %j', (status, body, kind, reason) => {
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, reason })
})
