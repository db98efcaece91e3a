import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { endApproval } from '../approval/record-decision.ts'
import { loadPost } from '../load-post.ts'
import { lockScheduledPost } from './lock-scheduled-post.ts'
import { moveChannels, updatePost } from '../post.store.ts'
import { fieldsFromRow } from '../post-fields.ts'
import { permitRelease } from '../release/permit-release.ts'
import { showPost } from '../reading/show-post.ts'

/** Publishes a scheduled post now. */
export async function publishNow(scope: RequestScope, id: string): Promise<Post> {
  const now = new Date(scope.nowMs)
  const { post, channels } = await lockScheduledPost(scope, id)
  const slugs = channels.map((channel) => channel.connection_slug)
  await permitRelease(scope, { postId: post.id, dueAt: now, fields: fieldsFromRow(post), slugs })
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(scope.tx, key, { status: 'publishing', updated_at: now })
  const channelIds = channels.map((channel) => channel.id)
  await moveChannels(scope.tx, key, { channelIds, transition: 'schedule', change: { due_at: now, dispatch_at: now } })
  await endApproval(scope, post)
  scope.afterCommit(() => scope.ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}
