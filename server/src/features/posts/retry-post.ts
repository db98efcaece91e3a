import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findConnections } from '../connections/find-connections.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels, updatePost } from './post.store.ts'
import { showPost } from './reading/show-post.ts'
import { requireConnected } from './resolve-targets.ts'

/** Sends only the failed channels again. An unconfirmed one must be resolved first, because it may have been published. */
export async function retryPost(scope: RequestScope, id: string): Promise<Post> {
  const { ctx, tx, principal, nowMs } = scope
  const { post, channels } = await lockPost(scope, id)
  const failed = channels.filter(({ state }) => state === 'failed')
  if (failed.length === 0) {
    const hasUnconfirmed = channels.some(({ state }) => state === 'unconfirmed')
    throw problem(
      'nothing_to_retry',
      hasUnconfirmed
        ? { message: 'No channel has failed; an unconfirmed one must be resolved before it can be sent again.' }
        : {},
    )
  }
  const known = await findConnections(
    scope,
    failed.map((channel) => channel.connection_slug),
  )
  requireConnected([...known.values()])

  const key = { workspaceId: principal.workspaceId, id: post.id }
  const now = new Date(nowMs)
  await updatePost(tx, key, { status: 'publishing', pending_error: null, updated_at: now })
  // Staged uploads may have expired, so they are dropped. The time of the first send stays: it is part of the handle.
  const change = {
    state: 'scheduled',
    due_at: now,
    dispatch_at: now,
    tries: 0,
    error: null,
    staged: null,
    renew_token: false,
  } as const
  await moveChannels(
    tx,
    key,
    failed.map((channel) => channel.id),
    change,
  )
  scope.afterCommit(() => ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}
