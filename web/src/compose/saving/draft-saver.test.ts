import { CarillonError, type Post } from '@carillon/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { composeReducer } from '../state/compose-reducer.ts'
import { emptyState, type ComposeState } from '../state/compose-state.ts'
import { toPostChange } from '../state/post-change.ts'
import { DraftSaver, type DraftCalls } from './draft-saver.ts'
import { listLocalCopies, type LocalCopy } from './local-copy.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.useFakeTimers()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      stored.set(key, value)
      Object.defineProperty(storage, key, { enumerable: true, configurable: true, value })
    },
    removeItem: (key: string) => {
      stored.delete(key)
      Reflect.deleteProperty(storage, key)
    },
  }
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const empty = emptyState({ zone: 'Europe/Berlin', wall: null, accounts: [] })
const copy: LocalCopy = {
  id: 'local',
  workspaceId: 'w',
  state: empty,
  postId: null,
  updatedAt: null,
  savedRevision: 0,
  sent: null,
  createKey: 'create-1',
  publishKey: null,
  writtenAt: '',
}

function typed(state: ComposeState, text: string): ComposeState {
  return composeReducer(state, { type: 'write', field: 'text', value: text })
}

function answer(updatedAt: string): Post {
  // Only the fields that the saver reads.
  return { updatedAt, issues: [], channels: [], medias: [] } as unknown as Post
}

function open({ create = () => Promise.resolve('post-1') }: Partial<Pick<DraftCalls, 'create'>>, from = copy) {
  let version = 0
  const all = {
    create: vi.fn<DraftCalls['create']>(create),
    update: vi.fn<DraftCalls['update']>(() => Promise.resolve(answer(`v${++version}`))),
    publish: vi.fn<DraftCalls['publish']>(() => Promise.resolve(answer('done'))),
  }
  const saver = new DraftSaver(from, all, { onCreated() {}, nowMs: () => 0, newKey: () => 'publish-1' })
  return { saver, ...all }
}

const refusal = (code: string, status: number, current: Post | null = null) =>
  new CarillonError({ code, message: code, status, action: 'retry', retryable: false, current })

test('guarantee: a draft is saved one second after the last key, and created once', async () => {
  const { saver, create, update } = open({})
  const first = typed(empty, 'H')
  saver.change(first)
  await vi.advanceTimersByTimeAsync(900)
  const second = typed(first, 'Hi')
  saver.change(second)
  await vi.advanceTimersByTimeAsync(900)
  expect(create).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  saver.change(typed(second, 'Hi!'))
  await vi.advanceTimersByTimeAsync(1000)
  expect([create.mock.calls, update.mock.calls.map(([, change]) => change.text)]).toEqual([[['create-1']], ['Hi', 'Hi!']])
  expect(update.mock.calls.map(([, , { ifUpdatedAt, isAutosave }]) => [ifUpdatedAt, isAutosave])).toEqual([
    [null, true],
    ['v1', true],
  ])
  expect(saver.view().status).toBe('saved')
})

test('guarantee: every key is in the copy of this browser at once, and a new page continues from it', async () => {
  const { saver } = open({ create: () => Promise.reject(refusal('connection_failed', 0)) })
  saver.change(typed(empty, 'kept'))
  const [kept] = listLocalCopies('w')
  expect(kept).toMatchObject({ postId: null, createKey: 'create-1', state: { common: { text: 'kept' } } })
  await vi.advanceTimersByTimeAsync(1000)
  expect(saver.view().status).toBe('offline')
  if (!kept) throw new Error('nothing was kept')
  const next = open({}, kept)
  next.saver.retry()
  await vi.advanceTimersByTimeAsync(0)
  expect([next.create.mock.calls, next.update.mock.calls.length]).toEqual([[['create-1']], 1])
})

test('without the network it tries again, and saves what was written in the meantime', async () => {
  const { saver, update } = open({})
  update.mockRejectedValueOnce(refusal('connection_failed', 0))
  const first = typed(empty, 'a')
  saver.change(first)
  await vi.advanceTimersByTimeAsync(1000)
  expect(saver.view().status).toBe('offline')
  await vi.advanceTimersByTimeAsync(5000)
  expect([saver.view().status, update.mock.calls.length]).toEqual(['saved', 2])
})

test('guarantee: a draft that somebody else changed is not overwritten until the person decides', async () => {
  const theirs = answer('v9')
  const { saver, update } = open({}, { ...copy, postId: 'post-1', updatedAt: 'v0' })
  update.mockRejectedValueOnce(refusal('draft_changed', 412, theirs))
  const first = typed(empty, 'mine')
  saver.change(first)
  await vi.advanceTimersByTimeAsync(1000)
  expect(saver.view()).toMatchObject({ status: 'conflict', theirs })
  saver.change(typed(first, 'mine too'))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(update).toHaveBeenCalledTimes(1)
  saver.keepMine()
  await vi.advanceTimersByTimeAsync(0)
  expect(update.mock.calls[1]?.[1].text).toBe('mine too')
  expect(update.mock.calls[1]?.[2].ifUpdatedAt).toBe('v9')
})

test('guarantee: a save whose answer was lost is not taken for the change of somebody else', async () => {
  const first = typed(empty, 'mine')
  const sent = toPostChange(first, { canSchedule: false })
  const lost = { ...answer('v1'), ...sent, medias: [] } as unknown as Post
  const kept = { ...copy, postId: 'post-1', updatedAt: 'v0', state: first, sent }
  const { saver, update } = open({}, kept)
  update.mockRejectedValueOnce(refusal('draft_changed', 412, lost))
  saver.change(typed(first, 'mine too'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(update.mock.calls.map(([, { text }, { ifUpdatedAt }]) => [text, ifUpdatedAt])).toEqual([
    ['mine too', 'v0'],
    ['mine too', 'v1'],
  ])
  expect(saver.view().status).toBe('saved')
})

test('guarantee: an attempt to publish without an answer is repeated with the same key', async () => {
  const { saver, publish } = open({})
  saver.change(typed(empty, 'out'))
  publish.mockRejectedValueOnce(refusal('connection_failed', 0))
  await expect(saver.publish()).rejects.toThrow('connection_failed')
  expect(listLocalCopies('w')[0]?.publishKey).toBe('publish-1')
  await saver.publish()
  expect(publish.mock.calls.map(([, { key }]) => key)).toEqual(['publish-1', 'publish-1'])
  expect(listLocalCopies('w')).toEqual([])
})

test('an empty page makes no draft', async () => {
  const { saver, create } = open({})
  saver.change(composeReducer(empty, { type: 'toggleAccount', slug: 'x-ada' }))
  await vi.advanceTimersByTimeAsync(5000)
  expect([create.mock.calls.length, listLocalCopies('w')]).toEqual([0, []])
})

test('guarantee: a scheduled post is changed only when the person says so, and stays scheduled', async () => {
  const scheduled = { ...copy, postId: 'post-1', updatedAt: 'v0', isScheduled: true }
  const { saver, update, publish } = open({}, scheduled)
  saver.change(typed(empty, 'Half a sen'))
  await vi.advanceTimersByTimeAsync(60_000)
  await saver.flush({ isAutosave: true })
  expect([update.mock.calls.length, saver.view().status]).toEqual([0, 'unsaved'])
  expect(listLocalCopies('w')).toHaveLength(1)
  await saver.publish()
  expect(update.mock.calls).toEqual([
    ['post-1', expect.objectContaining({ text: 'Half a sen', keepSchedule: true }), { ifUpdatedAt: 'v0', isAutosave: false }],
  ])
  expect([publish.mock.calls.length, listLocalCopies('w').length]).toEqual([0, 0])
})
