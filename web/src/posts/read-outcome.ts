import type { ChannelStatus, Post, PostStatus } from '@carillon/sdk'

type Sent = { status: PostStatus; channels: readonly { result: { status: ChannelStatus } }[] }

/** What became of a post that was sent: on how many of its accounts it is. Null while it is under way. */
export function readOutcome({ status, channels }: Sent | Post) {
  if (status !== 'completed' && status !== 'partial_failure' && status !== 'failed') return null
  const statuses = channels.map(({ result }) => result.status).filter((each) => each !== 'canceled')
  const count = statuses.filter((each) => each === 'success').length
  const total = statuses.length
  const isUnknown = statuses.includes('unconfirmed') && !statuses.includes('failed')
  const result = count === total ? 'published' : count > 0 ? 'partly' : isUnknown ? 'unconfirmed' : 'failed'
  return { result, count, total } as const
}

const needs = ['failed', 'unconfirmed', 'publishing', 'pending', 'canceled', 'success'] as const

/** What a person may have to do comes first. */
export function inOrderOfNeed<C extends { result: { status: ChannelStatus } }>(channels: readonly C[]): C[] {
  return channels.toSorted((one, other) => needs.indexOf(one.result.status) - needs.indexOf(other.result.status))
}
