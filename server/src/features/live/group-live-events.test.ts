import { expect, test } from 'vitest'
import type { DomainEvent, RecordedChange } from '../events/outbox.store.ts'
import { groupLiveEvents } from './group-live-events.ts'

const atMs = Date.parse('2026-11-15T09:00:00.000Z')
const nothing = { postId: null, channelId: null, connectionId: null, personId: null, atMs }
const event = (fields: Partial<DomainEvent>): Required<DomainEvent> => ({
  ...nothing,
  workspaceId: 'w1',
  event: 'upload.completed',
  ...fields,
})
const changed = (fields: Partial<RecordedChange>): RecordedChange => ({
  workspaceId: 'w1',
  event: 'post.changed',
  subjectId: 'p1',
  personId: 'a',
  atMs,
  ...fields,
})
const read = (events: Required<DomainEvent>[], changes: RecordedChange[] = []) =>
  groupLiveEvents(events, changes).map(({ data, ...rest }) => ({ ...rest, data: JSON.parse(data) as unknown }))

test('events of one kind, workspace and person become one', () => {
  const channel = { event: 'channel.published', postId: 'p1' } as const
  const later = atMs + 5000
  expect(
    read(
      [
        event({ ...channel, channelId: 'c1' }),
        event({ ...channel, channelId: 'c2', atMs: later }),
        event({ postId: 'p1' }),
        event({ postId: 'p9', workspaceId: 'w2' }),
      ],
      [changed({}), changed({}), changed({ subjectId: 'p2' })],
    ),
  ).toEqual([
    {
      workspaceId: 'w1',
      event: 'channel.changed',
      data: { ids: ['p1'], channels: ['c1', 'c2'], by: null, updatedAt: '2026-11-15T09:00:05.000Z' },
    },
    { workspaceId: 'w1', event: 'post.changed', data: { ids: ['p1'], by: null, updatedAt: '2026-11-15T09:00:00.000Z' } },
    { workspaceId: 'w2', event: 'post.changed', data: { ids: ['p9'], by: null, updatedAt: '2026-11-15T09:00:00.000Z' } },
    { workspaceId: 'w1', event: 'post.changed', data: { ids: ['p1', 'p2'], by: 'a', updatedAt: '2026-11-15T09:00:00.000Z' } },
  ])
})

test('more than 100 ids, or a change without an id, mean that anything may have changed', () => {
  const many = Array.from({ length: 101 }, (_, n) => event({ postId: `p${n}` }))
  expect(read(many)).toMatchObject([{ data: { ids: [] } }])
  expect(read(many.slice(1))).toMatchObject([{ data: { ids: expect.toSatisfy((ids: string[]) => ids.length === 100) } }])
  expect(read([], [changed({}), changed({ subjectId: null })])).toMatchObject([{ data: { ids: [] } }])
})

test('changes of members and keys are changes of the workspace', () => {
  expect(read([], [changed({ event: 'workspace.changed', subjectId: 'member-1' })])).toMatchObject([
    { event: 'workspace.changed', data: { ids: ['w1'] } },
  ])
  expect(read([event({ event: 'webhook.test' })])).toEqual([])
})
