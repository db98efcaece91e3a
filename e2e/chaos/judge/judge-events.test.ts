import { describe, expect, test } from 'vitest'
import type { ReceivedEvent } from '../stack/start-event-receiver.ts'
import { baseMs, findingsOf, type SeedParts } from './findings.fixture.ts'
import { judgeConnectionEvents, judgeEvents } from './judge-events.ts'

let count = 0
function event(name: string, atMs = 0): ReceivedEvent {
  count++
  const channelId = name.startsWith('channel.') ? 'channel' : null
  const requestId = name.startsWith('connection.') ? null : 'request'
  const connectionId = name.startsWith('connection.') ? 'connection' : null
  return { event: name, deliveryId: String(count), happenedMs: baseMs + atMs, requestId, channelId, connectionId }
}

const usual = () => [
  event('upload.scheduled', -1000),
  event('upload.publishing', 100),
  event('channel.published', 600),
  event('upload.completed', 600),
]
const detailsFor = (events: ReceivedEvent[], parts: SeedParts = {}) =>
  judgeEvents(findingsOf(parts), events).map(({ detail }) => detail)

/** Guarantee: every change is reported, once, and the last state last. */
describe('events of a post', () => {
  test('all there', () => {
    expect(detailsFor(usual())).toEqual([])
  })

  test.for(['upload.scheduled', 'channel.published', 'upload.completed'])('without %s', (name) => {
    const [detail, ...more] = detailsFor(usual().filter((each) => each.event !== name))
    expect([detail, more]).toEqual([expect.stringContaining(`${name} is missing`), []])
  })

  test.for(['upload.scheduled', 'upload.publishing', 'channel.published', 'upload.completed'])('%s twice', (name) => {
    const details = detailsFor([...usual(), event(name, 700)])
    expect(details.join()).toContain(`${name} happened 2 times`)
  })

  test('the state that the API shows was not the last one', () => {
    const failed = { channel: { status: 'failed' as const }, post: { status: 'failed' } }
    const events = [event('upload.scheduled'), event('channel.failed', 100), event('upload.failed', 100)]
    expect(detailsFor(events, failed)).toEqual([])
    expect(detailsFor([...events, event('channel.published', 20_000)], failed)[0]).toContain('channel.failed was followed by')
  })

  test('a retry explains a second failure, and a resolve another final event', () => {
    const requests = { schedule: 1, publish: 0, retry: 1, resolve: 1 }
    const doubt = [event('channel.unconfirmed', 100), event('upload.failed', 100)]
    const resolved = [event('channel.failed', 200), event('upload.failed', 200)]
    expect(detailsFor([...doubt, ...resolved, ...usual()], { expected: { requests } })).toEqual([])
  })

  test('a deleted post owes no events', () => {
    expect(detailsFor([], { expected: { intent: 'deleted' } })).toEqual([])
  })
})

/** Guarantee: that an account must be connected again is reported once each time. */
describe('connection.needs_reconnect', () => {
  const needs = () => event('connection.needs_reconnect')
  const facts = (reconnects: number, wasSeen: boolean) => [{ id: 'connection', slug: 'x-bell', reconnects, wasSeen }]

  test.for([
    ['never needed', 0, false, 0, 0],
    ['needed and reported', 1, true, 1, 0],
    ['needed and not reported', 0, true, 0, 1],
    ['reported twice', 2, true, 0, 1],
    ['reported again after it was connected', 2, true, 1, 0],
  ] as const)('%s', ([, reports, wasSeen, reconnects, wanted]) => {
    const events = Array.from({ length: reports }, needs)
    expect(judgeConnectionEvents(facts(reconnects, wasSeen), events)).toHaveLength(wanted)
  })
})
