import type { ChannelStatus, PostStatus } from '@carillon/sdk'

type PostOutcome = { status: PostStatus; channels: readonly { result: { status: ChannelStatus } }[] }

/** The server counts a lost answer as a failure. People are told that it is not known: the post may be there. */
export function shownStatus({ status, channels }: PostOutcome): PostStatus | ChannelStatus {
  const has = (wanted: ChannelStatus) => channels.some(({ result }) => result.status === wanted)
  const isFailure = status === 'failed' || status === 'partial_failure'
  return isFailure && has('unconfirmed') && !has('failed') ? 'unconfirmed' : status
}
