import { expect, test } from 'vitest'
import { composeReducer, ownFieldNames, textsOf, type ComposeAction } from './compose-reducer.ts'
import { emptyState, filesOf, type ComposeState, type PostFile } from './compose-state.ts'
import { fieldOf, postType } from './channel-draft.ts'
import { fromPost, toPostChange } from './post-change.ts'

const start = emptyState({ zone: 'Europe/Berlin', wall: null, accounts: ['bluesky-ada', 'x-ada'] })

function play(...actions: ComposeAction[]): ComposeState {
  return actions.reduce(composeReducer, start)
}

const photo: PostFile = {
  key: 'a',
  mediaId: '6af9773e83f542bfc0e7ecac',
  name: 'bell.png',
  kind: 'image',
  mimeType: 'image/png',
  sizeBytes: 10,
  width: 4,
  height: 4,
  durationSeconds: null,
  pages: null,
  hasPicture: true,
  alt: '',
  progress: 1,
  problem: null,
}

test('guarantee: a text is written once for all, and changed for one account only in its tab', () => {
  const state = play(
    { type: 'write', field: 'text', value: 'Hello' },
    { type: 'showTab', tab: 'x-ada' },
    { type: 'write', field: 'text', value: 'Hello X' },
  )
  expect([fieldOf(state, 'bluesky-ada', 'text'), fieldOf(state, 'x-ada', 'text')]).toEqual(['Hello', 'Hello X'])
  expect([ownFieldNames(state.own['x-ada']), ownFieldNames(state.own['bluesky-ada'])]).toEqual([['text'], []])
})

test('a text that is written back to the common one is not the account’s own any more', () => {
  const state = play(
    { type: 'write', field: 'text', value: 'Hello' },
    { type: 'showTab', tab: 'x-ada' },
    { type: 'write', field: 'text', value: 'Hello!' },
    { type: 'write', field: 'text', value: 'Hello' },
  )
  expect(ownFieldNames(state.own['x-ada'])).toEqual([])
})

test('one action reverts everything that an account has of its own, but not its settings', () => {
  const state = play(
    { type: 'showTab', tab: 'x-ada' },
    { type: 'write', field: 'text', value: 'Mine' },
    { type: 'write', field: 'title', value: 'Mine' },
    { type: 'changeSetting', slug: 'x-ada', name: 'madeWithAi', value: true },
    { type: 'revert', field: 'all' },
  )
  expect(state.own['x-ada']).toEqual({ settings: { madeWithAi: true } })
})

test('an account that is taken out and chosen again has its own text again', () => {
  const state = play(
    { type: 'showTab', tab: 'x-ada' },
    { type: 'write', field: 'text', value: 'Mine' },
    { type: 'toggleAccount', slug: 'x-ada' },
  )
  expect([state.tab, state.accounts]).toEqual([null, ['bluesky-ada']])
  expect(toPostChange(state, { canSchedule: false }).platformOptions).toEqual({})
  const again = composeReducer(state, { type: 'toggleAccount', slug: 'x-ada' })
  expect(fieldOf(again, 'x-ada', 'text')).toBe('Mine')
})

test('guarantee: only what must be saved counts as a change', () => {
  expect(play({ type: 'showTab', tab: 'x-ada' }).revision).toBe(0)
  expect(play({ type: 'addFiles', files: [photo] }, { type: 'changeFile', key: 'a', change: { progress: 0.5 } }).revision).toBe(1)
  expect(play({ type: 'write', field: 'text', value: 'H' }, { type: 'changeTime', change: { isLater: true } }).revision).toBe(2)
})

test('the files keep their order until they are moved, and decide the type of the post', () => {
  const second = { ...photo, key: 'b' }
  const state = play({ type: 'addFiles', files: [photo, second] }, { type: 'moveFile', key: 'b', by: -1 })
  expect([state.files.map(({ key }) => key), postType(state.files)]).toEqual([['b', 'a'], 'photo'])
  expect(composeReducer(state, { type: 'moveFile', key: 'b', by: -1 }).files).toEqual(state.files)
  expect(postType(play().files)).toBe('text')
})

test('an incomplete zone is not sent: the server would refuse the text with it', () => {
  const typing = play({ type: 'write', field: 'text', value: 'Evensong' }, { type: 'changeTime', change: { zone: 'Asia/Tok' } })
  const change = toPostChange(typing, { canSchedule: false })
  expect(change).toMatchObject({ text: 'Evensong' })
  expect(change).not.toHaveProperty('timezone')
})

test('an incomplete link and a file that is not uploaded are not sent', () => {
  const state = play(
    { type: 'write', field: 'linkUrl', value: 'https://exa' },
    { type: 'addFiles', files: [{ ...photo, mediaId: null }] },
    { type: 'changeTime', change: { isLater: true, wall: '2027-03-28T09:00' } },
  )
  const change = toPostChange(state, { canSchedule: true })
  expect(change).toMatchObject({
    type: 'text',
    linkUrl: null,
    medias: [],
    scheduledAt: '2027-03-28T09:00',
    timezone: 'Europe/Berlin',
  })
  expect(toPostChange(state, { canSchedule: false }).scheduledAt).toBeNull()
})

test('a draft of the server is shown as it was written', () => {
  const written = play(
    { type: 'write', field: 'text', value: 'Hello' },
    { type: 'showTab', tab: 'x-ada' },
    { type: 'write', field: 'text', value: '' },
    { type: 'changeSetting', slug: 'bluesky-ada', name: 'replies', value: 'none' },
    { type: 'showTab', tab: null },
  )
  const { text, platformOptions } = toPostChange(written, { canSchedule: false })
  const channels = written.accounts.map((connection) => ({ connection, result: { status: 'pending' } }))
  const post = {
    text,
    platformOptions,
    channels,
    title: null,
    firstComment: null,
    linkUrl: null,
    medias: [],
    scheduledAt: null,
    timezone: null,
  }
  // Only the fields that the composer reads.
  const read = fromPost(post as unknown as Parameters<typeof fromPost>[0], { zone: 'Europe/Berlin', wallTime: (_zone, at) => at })
  expect({ ...read, revision: 0 }).toEqual({ ...written, own: read.own, revision: 0 })
  expect(read.own).toEqual({ 'x-ada': { text: '', settings: {} }, 'bluesky-ada': { settings: { replies: 'none' } } })
})

test('guarantee: files that are changed in the tab of an account are its own, and the common ones stay', () => {
  const cropped: PostFile = { ...photo, key: 'b', mediaId: '6af9773e83f542bfc0e7ecad', name: 'bell-crop.png' }
  const state = play(
    { type: 'addFiles', files: [photo] },
    { type: 'showTab', tab: 'x-ada' },
    { type: 'replaceFile', key: 'a', file: cropped },
    { type: 'writeAlt', key: 'b', alt: 'A bell' },
  )
  expect(ownFieldNames(state.own['x-ada'])).toEqual(['files'])
  expect(toPostChange(state, { canSchedule: false })).toMatchObject({
    medias: [photo.mediaId],
    platformOptions: { 'x-ada': { medias: [cropped.mediaId], mediaOptions: [{ alt: 'A bell' }] } },
  })
  expect(ownFieldNames(composeReducer(state, { type: 'revert', field: 'files' }).own['x-ada'])).toEqual([])
})

test('guarantee: each file of an account has its own alt text again when the draft is opened', () => {
  const post = {
    text: '',
    type: 'photo',
    channels: [{ connection: 'x-ada', result: { status: 'pending' } }],
    title: null,
    firstComment: null,
    linkUrl: null,
    medias: [],
    scheduledAt: null,
    timezone: null,
    platformOptions: { 'x-ada': { medias: ['a', 'b', 'c'], mediaOptions: [{ alt: 'A bell' }, {}, { alt: 'A tower' }] } },
  }
  // Only the fields that the composer reads.
  const read = fromPost(post as unknown as Parameters<typeof fromPost>[0], { zone: 'Europe/Berlin', wallTime: (_zone, at) => at })
  expect(read.own['x-ada']?.files?.map(({ mediaId, alt }) => [mediaId, alt])).toEqual([
    ['a', 'A bell'],
    ['b', ''],
    ['c', 'A tower'],
  ])
})

test('guarantee: an account cannot have files while the post has none: its first ones are common', () => {
  const state = play({ type: 'showTab', tab: 'x-ada' }, { type: 'addFiles', files: [photo] })
  expect([state.files, ownFieldNames(state.own['x-ada'])]).toEqual([[photo], []])
  const last = composeReducer(state, { type: 'removeFile', key: 'a' })
  expect(filesOf(last, 'x-ada')).toEqual([photo])
})

test('guarantee: a suggested text that was used is taken back for every account', () => {
  const before = play({ type: 'write', field: 'text', value: 'Mine' })
  const used = composeReducer(before, { type: 'writeFor', slugs: ['x-ada'], value: 'Suggested' })
  expect(fieldOf(used, 'x-ada', 'text')).toBe('Suggested')
  const back = composeReducer(used, { type: 'restoreTexts', texts: textsOf(before) })
  expect([fieldOf(back, 'x-ada', 'text'), ownFieldNames(back.own['x-ada'])]).toEqual(['Mine', []])
})

test('a thread is written once for all, and an account has its own or the first post only', () => {
  const state = play(
    { type: 'write', field: 'text', value: 'one' },
    { type: 'writeThread', thread: ['two', '', 'three'] },
    { type: 'leaveThreadOut', slugs: ['x-ada'] },
  )
  const change = toPostChange(state, { canSchedule: true })
  expect(change.thread).toEqual([{ text: 'two' }, { text: 'three' }])
  expect(change.platformOptions).toEqual({ 'x-ada': { thread: null } })
  expect(ownFieldNames(state.own['x-ada'])).toEqual(['thread'])
  const back = composeReducer({ ...state, tab: 'x-ada' }, { type: 'revert', field: 'thread' })
  expect(toPostChange(back, { canSchedule: true }).platformOptions).toEqual({})
  const own = composeReducer({ ...state, tab: 'x-ada' }, { type: 'writeThread', thread: ['mine'] })
  expect(toPostChange(own, { canSchedule: true }).platformOptions).toEqual({ 'x-ada': { thread: [{ text: 'mine' }] } })
})

test('guarantee: an account that was disconnected is not chosen again when the draft is opened', () => {
  const post = {
    text: 'Evensong',
    type: 'text',
    channels: [
      { connection: 'x-ada', result: { status: 'canceled' } },
      { connection: 'bluesky-ada', result: { status: 'pending' } },
    ],
    medias: [],
    scheduledAt: null,
    timezone: null,
    platformOptions: {},
  }
  // Only the fields that the composer reads.
  const read = fromPost(post as unknown as Parameters<typeof fromPost>[0], { zone: 'Europe/Berlin', wallTime: (_zone, at) => at })
  expect(read.accounts).toEqual(['bluesky-ada'])
})
