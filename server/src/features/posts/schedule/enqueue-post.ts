import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { requireQueue } from '../../queues/manage-queues.ts'
import { takeSlot } from '../../queues/take-slot.ts'
import { loadPost, lockPost } from '../load-post.ts'
import { updatePost } from '../post.store.ts'
import { publishDraft } from '../publish-draft.ts'
import { showPost } from '../reading/show-post.ts'
import { requireUnchanged } from '../require-unchanged.ts'
import { lockScheduledPost } from './lock-scheduled-post.ts'
import { moveScheduledPost } from './reschedule-post.ts'

/** Puts a draft or a scheduled post into the next free slot of a queue. */
export async function enqueuePost(scope: RequestScope, id: string, name = 'default'): Promise<Post> {
  const { tx, principal } = scope
  // The queue before the post, as for a reflow, so that neither waits for the other.
  const { id: queue } = await requireQueue(scope, name, 'share')
  const { post, channels } = await lockPost(scope, id)
  const wish = (from: typeof channels) => ({ queue, slugs: from.map((channel) => channel.connection_slug), postId: post.id })
  if (post.status === 'draft') {
    await requireUnchanged(scope, post)
    const time = await takeSlot(scope, wish(channels.filter(({ state }) => state !== 'canceled')))
    const columns = { scheduled_at: time.at, scheduled_wall: time.wall, timezone: time.timezone }
    await updatePost(tx, { workspaceId: principal.workspaceId, id: post.id }, columns)
    return publishDraft(scope, post.id)
  }
  const scheduled = await lockScheduledPost(scope, post.id)
  await moveScheduledPost(scope, scheduled, await takeSlot(scope, wish(scheduled.channels)))
  return showPost(scope, await loadPost(scope, post.id))
}
