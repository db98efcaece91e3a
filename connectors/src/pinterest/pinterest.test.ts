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
import { pinterest } from './pinterest.ts'

// The alt text is that of the pin.
testConnector(pinterest, simulate('pinterest', { showsAlt: false }))

describe('what only Pinterest does', () => {
  const platform = simulate('pinterest')
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(pinterest, platform, handle)
  const on = (draft: ReturnType<typeof draftFor>, settings: object) => ({
    ...draft,
    settings: { ...draft.settings, ...settings },
  })

  test('a pin has a title, a link, and one alt text for all its pictures', async () => {
    const account = await open('titling')
    const media = ['', 'Second bell', 'Third'].map((alt) => mediaFor(platform, 'image', alt))
    const draft = draftFor(account, { format: 'photo_carousel', media, title: 'On bells', linkUrl: 'https://a.example/?b=1&c=2' })
    const outcome = await publish(account, draft)
    expect(outcome).toMatchObject({ postUrl: expect.stringMatching(/^https:\/\/www\.pinterest\.com\/pin\/\d+\/$/) })
    const [seen] = await findVisiblePosts(account, draft.text)
    expect(seen).toMatchObject({ link: { url: draft.linkUrl }, options: { alt_text: 'Second bell' } })
    expect(seen?.media).toHaveLength(3)
  })

  test('boards are offered by their names, and found by them; one’s own comes before that of somebody else', async () => {
    const account = await open('many-anna')
    const { rules } = (await pinterest.capabilities?.read(account.client)) ?? {}
    expect(rules?.choices).toEqual({ board: ['Bells', 'Towers & spires', 'Former friends'] })
    expect(rules?.needs).toEqual(['board'])
    expect((await pinterest.capabilities?.read((await open('single')).client))?.rules).toEqual({ choices: { board: ['Bells'] } })
    const draft = on(draftFor(account), { board: ' bells', section: 'new & loud' })
    await publish(account, draft)
    const [seen] = await findVisiblePosts(account, draft.text)
    expect(seen?.options).toMatchObject({ board_section_id: expect.stringMatching(/^\d+$/) })
    await expect(publish(account, on(draftFor(account), { board: 'Former friends' }))).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('no such board'),
    })
  })

  test.each([
    ['many-bob', {}, 'unclear_board'],
    ['many-bob', { board: 'Surprises' }, 'unknown_board'],
    ['many-bob', { board: 'Bells', section: 'Gone' }, 'unknown_section'],
    ['boardless-bob', {}, 'unknown_board'],
  ])('%s with %j is refused before anything is sent: %s', async (handle, settings, platformCode) => {
    const account = await open(handle)
    await expect(stage(account, on(draftFor(account), settings))).rejects.toMatchObject({ kind: 'rejected', platformCode })
  })

  test('a board on the second page is found', async () => {
    const account = await open('crowded-anna')
    expect((await publish(account, on(draftFor(account), { board: 'Board 319' }))).state).toBe('published')
    const { rules } = (await pinterest.capabilities?.read(account.client)) ?? {}
    expect(rules?.choices?.['board']).toHaveLength(320)
  })

  test('a video is sent only once it is processed, with a whole second as its cover', async () => {
    await platform.change({ processingMs: 20_000 })
    const account = await open('filming')
    const draft = on(draftFor(account, { format: 'video' }), { coverSeconds: 2.9 })
    const staged = await stage(account, draft)
    await expect(pinterest.submit(account.client, draft, staged, newHandle())).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'file_processing',
    })
    await send(account, { draft, staged, handle: newHandle() })
    const [seen] = await findVisiblePosts(account, draft.text)
    expect(seen?.options).toMatchObject({ 'media_source.cover_image_key_frame_time': '2' })
    await platform.change({ processingMs: 0, processingFails: true })
    const failed = await stage(account, draft)
    await platform.wait(10_000)
    await expect(pinterest.submit(account.client, draft, failed, newHandle())).rejects.toMatchObject({
      kind: 'rejected',
      reason: 'file_unprocessed',
    })
    await platform.change({ processingFails: false })
  })

  /** Guarantee: a pin with the same words is ours only if nothing else about it differs. */
  test('another title, link, section, board or kind is another pin', async () => {
    const account = await open('many-carla')
    const own = { board: 'Bells', section: 'Old' }
    const draft = on(draftFor(account, { title: 'On bells', linkUrl: 'https://a.example/' }), own)
    const handle = newHandle()
    const outcome = await publish(account, draft, handle)
    const lookFor = (other: typeof draft) => find(account, { draft: other, staged: null, handle })
    expect(await lookFor(draft)).toEqual({ ...outcome, byWords: true })
    const absent = { state: 'absent', proof: 'listing' }
    expect(await lookFor({ ...draft, title: 'On towers' })).toEqual(absent)
    expect(await lookFor(on(draft, { section: 'New & loud' }))).toEqual(absent)
    expect(await lookFor(on(draft, { board: 'Towers & spires', section: undefined }))).toEqual(absent)
    expect(await lookFor({ ...draft, format: 'video' })).toEqual(absent)
    expect(await lookFor({ ...draft, linkUrl: null })).toEqual({ state: 'unknown' })
    // Renamed since then.
    expect(await lookFor(on(draft, { board: 'Chimes' }))).toEqual({ state: 'unknown' })
  })

  test('a pin of a title alone is found, and one without words is in doubt', async () => {
    const account = await open('silent')
    for (const [title, state] of [
      ['On bells', 'published'],
      [null, 'unknown'],
    ] as const) {
      const draft = draftFor(account, { text: '', title })
      await publish(account, draft)
      expect(await find(account, { draft, staged: null, handle: newHandle() })).toMatchObject({ state })
    }
  })

  test('an app with Trial access is told what to do', async () => {
    const account = await open('trial-anna')
    await expect(publish(account, draftFor(account))).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: '29',
      message: expect.stringContaining('sandbox'),
    })
  })

  test('figures are those of the whole life, and a deleted pin has none', async () => {
    const account = await open('counted')
    const [first, second] = [await publishAndGetId(account, draftFor(account)), await publishAndGetId(account, draftFor(account))]
    await platform.count(first)
    await pinterest.remove?.(account.client, second)
    expect([...((await pinterest.metrics?.(account.client, [first, second])) ?? [])]).toEqual([
      [first, { impressions: 110, clicks: 13, likes: 3, comments: 5 }],
    ])
  })

  test('text that has a meaning in HTML is text', async () => {
    const account = await open('hostile')
    const draft = draftFor(account, { text: `${newText()} <b> &amp; "x" 🔔`, title: '1 < 2 & 3' })
    await publish(account, draft)
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toMatchObject({ state: 'published' })
  })
})

const said = (code: number, message = 'No.') => ({ code, message })

test.each([
  [400, said(1, 'Sorry we could not fetch the image.'), { kind: 'rejected', isTemporary: true }],
  [400, said(1, "Sorry! This site doesn't allow you to save Pins."), { kind: 'rejected', reason: 'spam' }],
  [400, said(1), { kind: 'rejected', reason: 'refused' }],
  [401, said(2, 'Authentication failed.'), { kind: 'auth', reason: 'reconnect' }],
  [401, said(1, "You don't have permission to edit that board."), { kind: 'rejected' }],
  [403, said(3, 'Authorization failed.'), { kind: 'auth', reason: 'permission_missing' }],
  [403, said(29), { kind: 'rejected', reason: 'app_permission_missing' }],
  [404, said(40, 'Board not found.'), { kind: 'rejected' }],
  [404, said(50, 'Pin not found.'), { kind: 'gone' }],
  [429, said(8), { kind: 'limited', retryAfterMs: 7000 }],
  [500, said(1, 'Sorry we could not fetch the image.'), { kind: 'unknown' }],
  [502, '<html>', { kind: 'unknown' }],
])('%i %j is %j', (status, body, expected) => {
  expect(classify({ status, headers: { 'x-ratelimit-reset': '7' }, body }, 0)).toMatchObject(expected)
})
