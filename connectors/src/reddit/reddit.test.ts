import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
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
  stage,
} from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { classify } from './errors.ts'
import { reddit } from './reddit.ts'

// With a flair, so that a text has something to stage.
testConnector(reddit, simulate('reddit', { settings: { subreddit: 'r/bells', flair: 'news' }, showsAlt: false }))

describe('what only Reddit does', () => {
  const platform = simulate('reddit')
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(reddit, platform, handle)
  const inSubreddit = (draft: ReturnType<typeof draftFor>, subreddit: string, more: object = {}) => ({
    ...draft,
    settings: { ...draft.settings, subreddit, ...more },
  })

  test('a post goes to the profile of the account, or to the subreddit that it names, with its flair', async () => {
    const account = await open('placing')
    const own = draftFor(account)
    const outcome = await publish(account, own)
    expect(outcome).toMatchObject({ postUrl: expect.stringContaining('/user/placing/comments/') })
    const named = inSubreddit(draftFor(account), '/r/Bells', {
      flair: 'bells & TOWERS',
      nsfw: true,
      spoiler: true,
      notify: false,
    })
    expect(await publish(account, named)).toMatchObject({ postUrl: expect.stringContaining('/r/Bells/comments/') })
    const [seen] = await findVisiblePosts(account, named.text)
    expect(seen?.options).toMatchObject({ nsfw: 'yes', spoiler: 'yes', sendreplies: 'no', flair_id: expect.any(String) })
  })

  test('a flair that the subreddit does not have is refused before anything is sent', async () => {
    const account = await open('flairing')
    const refused = { kind: 'rejected', platformCode: 'unknown_flair' }
    for (const subreddit of ['bells', 'private_club', 'nowhere_land', 'u/flairing'])
      await expect(stage(account, inSubreddit(draftFor(account), subreddit, { flair: 'Unheard of' }))).rejects.toMatchObject(
        refused,
      )
    const without = inSubreddit(draftFor(account), 'flaired_bells')
    await expect(publish(account, without)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: 'SUBMIT_VALIDATION_FLAIR_REQUIRED',
    })
  })

  test('a title is the first line of the text where there is none', async () => {
    const account = await open('titling')
    const words = newText()
    const draft = draftFor(account, { text: `${words}\n\nThe rest.` })
    const handle = newHandle()
    const outcome = await publish(account, draft, handle)
    expect(outcome).toMatchObject({ postUrl: expect.stringContaining(words.toLowerCase().replaceAll(/\W+/g, '_').slice(0, 30)) })
    expect(await find(account, { draft, staged: null, handle })).toMatchObject({ state: 'published' })
    // The same text with another title, or in another subreddit, is another post.
    for (const other of [{ ...draft, title: 'On bells' }, inSubreddit(draft, 'bells')])
      expect(await find(account, { draft: other, staged: null, handle })).toEqual({ state: 'absent', proof: 'listing' })
  })

  test('a link has an address, and may have a text', async () => {
    const account = await open('linking')
    const linkUrl = 'https://carillon.example/a?b=1&c=%3C2'
    for (const text of [newText(), '']) {
      const draft = draftFor(account, { text, linkUrl, title: `Bells ${text}` })
      const handle = newHandle()
      const outcome = await publish(account, draft, handle)
      expect(await find(account, { draft, staged: null, handle })).toEqual({ ...outcome, byWords: true })
      expect(await find(account, { draft: { ...draft, linkUrl: null }, staged: null, handle })).toEqual({ state: 'unknown' })
    }
  })

  /** Guarantee: the name of an uploaded file is proof, even if another post has the same title and text. */
  test('an image is found by its file, and is in doubt until it is converted', async () => {
    const account = await open('picturing')
    const draft = draftFor(account, { format: 'photo', title: 'On bells' })
    const [first, second] = [await stage(account, draft), await stage(account, draft)]
    await send(account, { draft, staged: first, handle: newHandle() })
    const accepted = await send(account, { draft, staged: second, handle: newHandle() })
    expect(accepted).toMatchObject({ state: 'processing' })
    expect(await find(account, { draft, staged: second, handle: newHandle() })).toEqual({ state: 'unknown' })
    await platform.wait(10_000)
    const [, seen] = await platform.posts('picturing')
    const reference = accepted.state === 'processing' ? accepted.reference : ''
    const found = { state: 'published', postId: seen?.id }
    expect(await reddit.check?.(account.client, reference)).toMatchObject(found)
    expect(await find(account, { draft, staged: second, handle: newHandle() })).toMatchObject(found)
    // What was staged is forgotten: the two cannot be told apart.
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'unknown' })
  })

  test('a gallery is published at once, and found by its files', async () => {
    const account = await open('gallery')
    const media = [1, 2].map(() => mediaFor(platform, 'image', ''))
    const draft = draftFor(account, { format: 'photo_carousel', media })
    const staged = await stage(account, draft)
    const outcome = await send(account, { draft, staged, handle: newHandle() })
    expect(outcome).toMatchObject({ state: 'published', postId: expect.stringMatching(/^t3_/) })
    expect(await find(account, { draft, staged, handle: newHandle() })).toEqual(outcome)
    await expect(publish(account, inSubreddit(draft, 'single_shots'))).rejects.toMatchObject({
      platformCode: 'GALLERIES_DISABLED',
    })
  })

  test('characters that HTML has a meaning for are text', async () => {
    const account = await open('hostile')
    const draft = draftFor(account, { text: `${newText()} <b> &amp; > "x"`, title: '1 < 2 & 3' })
    const handle = newHandle()
    const outcome = await publish(account, draft, handle)
    expect(await find(account, { draft, staged: null, handle })).toEqual({ ...outcome, byWords: true })
  })

  test.each([
    ['nowhere_land', 'SUBREDDIT_NOEXIST'],
    ['restricted_club', 'SUBREDDIT_NOTALLOWED'],
    ['private_club', 'private'],
    ['links_only', 'NO_SELFS'],
    ['u/somebody', 'SUBREDDIT_NOTALLOWED'],
  ])('a text in %s is refused: %s', async (subreddit, platformCode) => {
    const account = await open('refused')
    await expect(publish(account, inSubreddit(draftFor(account), subreddit))).rejects.toMatchObject({
      kind: 'rejected',
      platformCode,
      isTemporary: false,
    })
  })

  test('a young account waits as long as Reddit says in its sentence', async () => {
    const account = await open('young_anna')
    await publish(account, draftFor(account))
    await expect(publish(account, draftFor(account))).rejects.toMatchObject({ kind: 'limited', retryAfterMs: 600_000 })
  })

  test('comments are refused where they are locked, and on what was deleted', async () => {
    const account = await open('talking')
    const locked = await publishAndGetId(account, inSubreddit(draftFor(account), 'locked_bells'))
    const comment = (postId: string) => publish(account, draftFor(account, { replyTo: { postId } }))
    await expect(comment(locked)).rejects.toMatchObject({ kind: 'rejected', reason: 'comments_off' })
    const removed = await publishAndGetId(account, draftFor(account))
    await reddit.remove?.(account.client, removed)
    await expect(comment(removed)).rejects.toMatchObject({ kind: 'gone' })
  })

  test('figures of many posts are read by one call, and a deleted one has none', async () => {
    const account = await open('counted')
    const [first, second] = [await publishAndGetId(account, draftFor(account)), await publishAndGetId(account, draftFor(account))]
    await platform.count(first)
    await reddit.remove?.(account.client, second)
    expect([...((await reddit.metrics?.(account.client, [first, second])) ?? [])]).toEqual([
      [first, { likes: 3, comments: 5, shares: 7 }],
    ])
  })
})

const form = (code: string, sentence = '', more: object = {}) => ({ json: { errors: [[code, sentence, 'sr']], ...more } })

test.each([
  [200, form('RATELIMIT', 'Take a break for 9 minutes before trying again.'), 'limited', 600_000],
  [200, form('RATELIMIT', 'try again in 3 milliseconds.'), 'limited', 1000],
  [200, form('RATELIMIT', 'je doet dat te veel', { ratelimit: 256.4 }), 'limited', 257_000],
  [200, form('SUBREDDIT_RATELIMIT'), 'limited', null],
  [200, form('toString', 'No.'), 'rejected', null],
  [200, form('ALREADY_SUB'), 'rejected', null],
  [
    400,
    { message: 'Bad Request', error: 400, reason: 'SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING', explanation: 'No. ' },
    'rejected',
    null,
  ],
  [401, { message: 'Unauthorized', error: 401 }, 'auth', null],
  [403, { message: 'Forbidden', error: 403 }, 'auth', null],
  [403, { message: 'Forbidden', error: 403, reason: 'private' }, 'rejected', null],
  [404, { message: 'Not Found', error: 404 }, 'gone', null],
  [500, '<html>', 'unknown', null],
])('%i %j is %s', (status, body, kind, retryAfterMs) => {
  expect(classify({ status, headers: { 'x-ratelimit-reset': '3' }, body }, 0)).toMatchObject({ kind, retryAfterMs })
})
