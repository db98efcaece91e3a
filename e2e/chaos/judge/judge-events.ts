import type { ApiChannel, ApiPost } from '../client/api-post.ts'
import { isFinal } from '../client/api-post.ts'
import { postOf, type ExpectedPost } from '../client/expected-post.ts'
import type { ReceivedEvent } from '../stack/start-event-receiver.ts'
import type { Violation } from './violation.ts'

const channelEventOf: Record<string, string | undefined> = {
  success: 'channel.published',
  failed: 'channel.failed',
  unconfirmed: 'channel.unconfirmed',
}
const channelEvents = ['channel.published', 'channel.failed', 'channel.unconfirmed']
const uploadEvents = ['upload.completed', 'upload.partial_failure', 'upload.failed']
/** The clocks of two workers may differ by three seconds, in both directions. */
const clockSlackMs = 7000

type ExpectedEvents = Pick<ExpectedPost, 'requestId' | 'text' | 'thread' | 'intent' | 'wasScheduled' | 'requests'>

/** Every change must have been reported: not less, not more often than it happened, and the last state last. */
export function judgeEvents(
  { expectedPosts, posts }: { expectedPosts: readonly ExpectedEvents[]; posts: readonly ApiPost[] },
  events: readonly ReceivedEvent[],
): Violation[] {
  return expectedPosts.flatMap((expected): Violation[] => {
    // Events of a deleted post need not be delivered.
    const post = postOf(expected, posts)
    if (!post || expected.intent === 'deleted') return []
    const own = events.filter(({ requestId }) => requestId === post.requestId)
    const details = [
      ...judgePost(expected, post, own),
      ...post.channels.flatMap((channel) => judgeChannel(expected, channel, own)),
    ]
    return details.map((detail) => ({ kind: 'event', text: expected.text, detail }))
  })
}

function judgePost({ requests, wasScheduled }: ExpectedEvents, post: ApiPost, events: readonly ReceivedEvent[]): string[] {
  const unconfirmed = countOf(events, 'channel.unconfirmed')
  const finals = events.filter(({ event }) => uploadEvents.includes(event))
  const finalMax = 1 + requests.retry + requests.resolve + unconfirmed
  return [
    ...(isFinal(post) ? judgeLast(finals, `upload.${post.status}`) : []),
    ...(finals.length > finalMax ? [`${finals.length} final events of the post, at most ${finalMax} can be`] : []),
    ...judgeCount(events, 'upload.completed', { min: 0, max: 1 }),
    ...judgeCount(events, 'upload.scheduled', { min: wasScheduled ? 1 : 0, max: requests.schedule }),
    ...judgeCount(events, 'upload.publishing', { min: 0, max: requests.schedule + requests.publish }),
  ]
}

function judgeChannel(
  { requests, thread }: ExpectedEvents,
  { id, status }: ApiChannel,
  events: readonly ReceivedEvent[],
): string[] {
  const own = events.filter(({ event, channelId }) => channelId === id && channelEvents.includes(event))
  const wanted = channelEventOf[status]
  const rounds = 1 + requests.retry
  return [
    ...(wanted ? judgeLast(own, wanted) : []),
    ...judgeCount(own, 'channel.published', { min: 0, max: 1 }),
    ...judgeCount(own, 'channel.failed', { min: 0, max: rounds + requests.resolve }),
    // Once a person has said that a post of a thread is there, the next one can be in doubt.
    ...judgeCount(own, 'channel.unconfirmed', { min: 0, max: rounds + (thread.length > 0 ? requests.resolve : 0) }),
  ].map((detail) => `channel ${id}: ${detail}`)
}

/** The state that the API shows must have been reported, and no other state after it. */
function judgeLast(events: readonly ReceivedEvent[], wanted: string): string[] {
  const found = events.filter(({ event }) => event === wanted)
  if (found.length === 0) return [`${wanted} is missing; there were ${events.map(({ event }) => event).join(', ') || 'none'}`]
  const lastMs = Math.max(...events.map(({ happenedMs }) => happenedMs))
  const isLast = found.some(({ happenedMs }) => happenedMs >= lastMs - clockSlackMs)
  return isLast ? [] : [`${wanted} was followed by ${events.map(({ event }) => event).join(', ')}`]
}

function judgeCount(events: readonly ReceivedEvent[], name: string, { min, max }: { min: number; max: number }): string[] {
  const count = countOf(events, name)
  if (count < min) return [`${name} is missing`]
  return count > max ? [`${name} happened ${count} times, at most ${max} can be`] : []
}

function countOf(events: readonly ReceivedEvent[], name: string): number {
  return events.filter(({ event }) => event === name).length
}

/** `wasSeen`: the API has shown that it must be connected again. */
export type ConnectionFacts = { id: string; slug: string; reconnects: number; wasSeen: boolean }

/** That an account must be connected again is reported once each time. */
export function judgeConnectionEvents(connections: readonly ConnectionFacts[], events: readonly ReceivedEvent[]): Violation[] {
  return connections.flatMap(({ id, slug, reconnects, wasSeen }): Violation[] => {
    const count = events.filter((each) => each.event === 'connection.needs_reconnect' && each.connectionId === id).length
    if (count >= (wasSeen ? 1 : 0) && count <= 1 + reconnects) return []
    const detail = `connection.needs_reconnect happened ${count} times, with ${reconnects} reconnects`
    return [{ kind: 'event', text: slug, detail }]
  })
}
