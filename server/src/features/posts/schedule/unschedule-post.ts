import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { endApproval } from '../approval/record-decision.ts'
import { loadPost } from '../load-post.ts'
import { lockScheduledPost } from './lock-scheduled-post.ts'
import { moveChannels, updatePost } from '../post.store.ts'
import { showPost } from '../reading/show-post.ts'

/** Turns a scheduled post back into a draft. Its time stays: publishing the draft schedules it again if the time is in the future. */
export async function unschedulePost(scope: RequestScope, id: string): Promise<Post> {
  const { post, channels } = await lockScheduledPost(scope, id)
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(scope.tx, key, { status: 'draft', updated_at: new Date(scope.nowMs) })
  await moveChannels(scope.tx, key, { channelIds: channels.map((channel) => channel.id), transition: 'unschedule' })
  await endApproval(scope, post)
  return showPost(scope, await loadPost(scope, post.id))
}
