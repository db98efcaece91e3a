import { isStoppable } from '@carillon/core'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { lockPost } from '../load-post.ts'
import type { PostWithChannels } from '../post.store.ts'

/** Locks a post that is scheduled and has no channel that is already being sent. Returns it without its canceled channels. */
export async function lockScheduledPost(scope: RequestScope, id: string): Promise<PostWithChannels> {
  const found = await lockPost(scope, id)
  if (found.post.status === 'publishing') throw problem('already_publishing')
  if (found.post.status !== 'scheduled') throw problem('not_scheduled')
  if (!found.channels.every(({ state }) => isStoppable(state) || state === 'canceled')) throw problem('already_publishing')
  return { post: found.post, channels: found.channels.filter(({ state }) => state !== 'canceled') }
}
