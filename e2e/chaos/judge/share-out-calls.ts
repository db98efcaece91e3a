import type { ApiChannel } from '../client/api-post.ts'
import type { Submit } from '../stack/simulator-control.ts'
import { isDoubtful, isPublished, isRefusal } from './findings.ts'

/** The calls for one channel, oldest first. `published` are those that the platform carried out. */
export type ChannelCalls = { submits: Submit[]; published: Submit[] }

/** Which channels a post on the platform belongs to first, if none names it: what says that it is there, then what is in doubt. */
const order = ['success', 'unconfirmed', 'publishing', 'pending', 'failed', 'canceled']

/**
 * Several channels may publish the same words on one account. The platform then cannot tell whose post is whose, so the posts are counted: each
 * channel gets the post that it names, the others get one each of those that are left, and what no channel can account for is a second post of
 * the first. Answers that were lost or refused are shared out in the same way, so that one of them explains one channel.
 */
export function shareOutCalls(channels: readonly (ApiChannel | undefined)[], calls: readonly Submit[]): ChannelCalls[] {
  if (channels.length === 1) return [{ submits: [...calls], published: calls.filter(isPublished) }]
  const shares = channels.map((channel, at): ChannelCalls & { channel: ApiChannel | undefined; at: number } => ({
    channel,
    at,
    submits: [],
    published: [],
  }))
  const rank = ({ channel }: (typeof shares)[number]) => (channel ? order.indexOf(channel.status) : order.length)
  const ranked = shares.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at)
  const left = [...calls]
  const take = (share: ChannelCalls | undefined, isWanted: (call: Submit) => boolean) => {
    const index = left.findIndex(isWanted)
    const [call] = index < 0 ? [] : left.splice(index, 1)
    if (!share || !call) return
    share.submits.push(call)
    if (isPublished(call)) share.published.push(call)
  }
  for (const share of ranked) {
    const { status, postId = null } = share.channel ?? {}
    if (status === 'success' && postId !== null) take(share, (call) => isPublished(call) && call.postId === postId)
  }
  for (const share of ranked) if (share.published.length === 0) take(share, isPublished)
  for (const share of ranked) {
    const { status } = share.channel ?? {}
    if (status === 'unconfirmed' && !share.submits.some(isDoubtful)) take(share, isDoubtful)
    if (status === 'failed') take(share, isRefusal)
  }
  while (left.some(isPublished)) take(ranked[0], isPublished)
  for (const share of shares) share.submits.sort((a, b) => a.atMs - b.atMs)
  return shares
}
