import { readWarning } from '@carillon/core'
import type { CalendarEntry, ChannelStatus, Post, PostStatus } from '@carillon/sdk'

/**
 * What people are told about a post or a channel. `only_author`: it is published, and nobody but its author can see it. `waiting` and `returned`: a
 * draft that was submitted for approval, or returned to its authors.
 */
export type ShownStatus = PostStatus | ChannelStatus | 'only_author' | 'waiting' | 'returned'

type ChannelOutcome = { status: ChannelStatus; warnings?: readonly string[] }
type PostOutcome = Pick<Post, 'status' | 'approval'> & { channels: readonly { result: ChannelOutcome }[] }

/** The server counts a lost answer as a failure. People are told that it is not known: the post may be there. */
export function shownStatus({ status, channels, approval }: PostOutcome): ShownStatus {
  if (status === 'draft' && approval?.state === 'pending') return 'waiting'
  if (status === 'draft' && approval?.state === 'changes_requested') return 'returned'
  const has = (wanted: ChannelStatus) => channels.some(({ result }) => result.status === wanted)
  const isFailure = status === 'failed' || status === 'partial_failure'
  if (isFailure && has('unconfirmed') && !has('failed')) return 'unconfirmed'
  const published = channels.filter(({ result }) => result.status === 'success')
  const isUnseen = published.length > 0 && published.every(({ result }) => shownChannelStatus(result) === 'only_author')
  return status === 'completed' && isUnseen ? 'only_author' : status
}

const unseenCodes: readonly (string | undefined)[] = ['only_author_sees', 'kept_private']

export function shownChannelStatus({ status, warnings = [] }: ChannelOutcome): ShownStatus {
  const isUnseen = status === 'success' && warnings.some((warning) => unseenCodes.includes(readWarning(warning)?.code))
  return isUnseen ? 'only_author' : status
}

export type EntryOutcome = Pick<CalendarEntry, 'status' | 'failed' | 'unconfirmed' | 'approval'>

/** `shownStatus` for an entry of the calendar, which has counts in place of its channels. */
export function shownEntryStatus({ status, failed, unconfirmed, approval }: EntryOutcome): ShownStatus {
  if (status === 'draft' && approval === 'pending') return 'waiting'
  if (status === 'draft' && approval === 'changes_requested') return 'returned'
  const isFailure = status === 'failed' || status === 'partial_failure'
  return isFailure && unconfirmed > 0 && unconfirmed === failed ? 'unconfirmed' : status
}

/** The colour of a post in a month whose days are too small for more than dots: that of its badge elsewhere. */
export function dotLook(entry: EntryOutcome): string {
  const shown = shownEntryStatus(entry)
  if (shown === 'failed') return 'bg-rust'
  if (shown === 'partial_failure' || shown === 'returned') return 'bg-straw'
  if (shown === 'unconfirmed') return 'bg-plum'
  return shown === 'completed' ? 'bg-verdigris' : shown === 'draft' ? 'bg-edge' : 'bg-dusk'
}
