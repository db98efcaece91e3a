import type { Channel, Connection, PlatformInfo, Post, TimelineEntry } from '@carillon/sdk'
import type { PostChanges } from './use-post-changes.ts'

/** What a card and its parts show of a channel. */
export type ChannelCardProps = {
  channel: Channel
  isDraft: boolean
  /** Missing after the account was disconnected. */
  connection: Connection | undefined
  platform: PlatformInfo | undefined
  /** What it gets instead of the common content. */
  options: Post['platformOptions'][string] | undefined
  /** The type of the post. */
  type: Post['type']
  /** What the checks of a draft found, of all its channels. */
  issues: Post['issues']
  timeline: readonly TimelineEntry[]
  changes: PostChanges
}
