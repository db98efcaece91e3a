import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldOf } from '../state/channel-draft.ts'
import { composeReducer } from '../state/compose-reducer.ts'
import { emptyState } from '../state/compose-state.ts'
import { storeLocalCopy, type LocalCopy } from './local-copy.ts'
import { startComposer } from './start-composer.ts'

// The client needs the address of a page. Nothing is requested here.
vi.mock('../../api/client.ts', () => ({ carillon: {} }))

beforeEach(() => {
  const storage: Record<string, unknown> = {}
  const hidden = { enumerable: false }
  Object.defineProperties(storage, {
    getItem: { ...hidden, value: (key: string) => storage[key] ?? null },
    setItem: { ...hidden, value: (key: string, value: string) => void (storage[key] = value) },
    removeItem: { ...hidden, value: (key: string) => void Reflect.deleteProperty(storage, key) },
  })
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

const zone = 'Europe/Berlin'
const written = composeReducer(emptyState({ zone, wall: null, accounts: [] }), {
  type: 'write',
  field: 'text',
  value: 'Evensong',
})
const copy: LocalCopy = {
  id: 'local',
  workspaceId: 'w',
  state: written,
  postId: null,
  updatedAt: null,
  savedRevision: 0,
  sent: null,
  createKey: 'create-1',
  publishKey: null,
  writtenAt: '2027-03-28T09:00:00Z',
}
const request = { workspaceId: 'w', zone, draftId: undefined, wall: null, accounts: [], signal: new AbortController().signal }

test.each([
  ['before the draft was created', null],
  ['after the draft was created and before it had its text', 'post-1'],
])('guarantee: a page that ended %s is continued by a new one', async (_when, postId) => {
  storeLocalCopy({ ...copy, postId })
  const start = await startComposer(request)
  expect([start.isRestored, start.copy.postId, fieldOf(start.copy.state, null, 'text')]).toEqual([true, postId, 'Evensong'])
})

test('what the server has, or belongs to a draft that was saved before, is not in a new post', async () => {
  storeLocalCopy({ ...copy, id: 'saved', savedRevision: written.revision })
  storeLocalCopy({ ...copy, id: 'older', postId: 'post-2', updatedAt: '2027-03-28T09:00:00Z' })
  expect((await startComposer(request)).isRestored).toBe(false)
})
