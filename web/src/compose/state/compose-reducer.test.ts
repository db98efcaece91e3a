import { expect, test } from 'vitest'
import { composeReducer, ownFieldNames, type ComposeAction } from './compose-reducer.ts'
import { emptyState, type ComposeState, type PostFile } from './compose-state.ts'
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
  const channels = written.accounts.map((connection) => ({ connection }))
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
