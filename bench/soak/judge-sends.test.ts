import { expect, test } from 'vitest'
import type { Submit } from '../setup/simulator.ts'
import { judgeSends, type StoredChannel } from './judge-sends.ts'
import type { Entry } from './create-ledger.ts'

const target = { slug: 'x-a', platform: 'x', handle: 'a' } as const
const entry = (n: number, state: Entry['state']): Entry => ({
  workspaceId: 'w',
  id: `p${n}`,
  text: `soak ${n}`,
  targets: [target],
  dueAtMs: 1000,
  state,
})
const submit = (n: number, outcome = 'created'): Submit => ({
  platform: 'x',
  account: 'a',
  atMs: 1200,
  text: `soak ${n}`,
  outcome,
})
const channel = (n: number, state: string): StoredChannel => ({ postId: `p${n}`, platform: 'x', handle: 'a', state })

test('guarantee: a post that is on its platform once is neither lost nor doubled', () => {
  const sends = judgeSends([entry(1, 'expected')], [submit(1, 'refused'), submit(1)], [channel(1, 'published')])
  expect(sends).toMatchObject({ expected: 1, published: 1, lost: 0, doubled: 0, unwanted: 0, misreported: 0 })
  expect(sends.lateMs.max).toBe(200)
})

test('guarantee: lost, doubled, unwanted and misreported posts are found', () => {
  const entries = [entry(1, 'expected'), entry(2, 'expected'), entry(3, 'deleted'), entry(4, 'draft'), entry(5, 'expected')]
  const submits = [submit(2), submit(2, 'dropped_after'), submit(3), submit(4), submit(5)]
  const channels = [channel(1, 'published'), channel(2, 'published'), channel(5, 'failed')]
  expect(judgeSends(entries, submits, channels)).toMatchObject({ lost: 1, doubled: 1, unwanted: 2, misreported: 2, failed: 1 })
})

test('guarantee: a failure counts as right only if the platform refused the post', () => {
  const refused = { ...submit(1, 'refused'), faultStatus: 422 }
  expect(judgeSends([entry(1, 'expected')], [refused], [channel(1, 'failed')])).toMatchObject({ failed: 1, misreported: 0 })
  expect(judgeSends([entry(1, 'expected')], [submit(1, 'refused')], [channel(1, 'failed')])).toMatchObject({ misreported: 1 })
})

test('a post that was deleted after its time may have been sent or not, but not twice', () => {
  expect(judgeSends([entry(1, 'removed')], [submit(1)], [])).toMatchObject({ expected: 0, unwanted: 0, doubled: 0 })
  expect(judgeSends([entry(1, 'removed')], [submit(1), submit(1)], [])).toMatchObject({ doubled: 1 })
})
