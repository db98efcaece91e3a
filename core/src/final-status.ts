import type { PostStatus } from '@carillon/contract'
import { isFinal, type ChannelState } from './channel-state.ts'

/**
 * The status of a post whose channels are all final, or null while at least one is not.
 * All published → completed, some → partial_failure, none → failed; unconfirmed and canceled channels count as not published.
 */
export function finalStatus(
  channels: readonly ChannelState[],
): Extract<PostStatus, 'completed' | 'partial_failure' | 'failed'> | null {
  if (channels.length === 0 || !channels.every(isFinal)) return null
  const published = channels.filter((state) => state === 'published').length
  if (published === channels.length) return 'completed'
  return published > 0 ? 'partial_failure' : 'failed'
}
