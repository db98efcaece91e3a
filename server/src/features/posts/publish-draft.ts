import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { countUsage } from '../workspaces/count-usage.ts'
import { channelWarnings } from './build-channel-rows.ts'
import { checkChannels } from './check-channels.ts'
import { refuseViolations, requireText } from './create-post.ts'
import { loadPost, lockPost } from './load-post.ts'
import { fieldsFromRow } from './post-fields.ts'
import { moveChannels, updatePost } from './post.store.ts'
import { showPost } from './reading/show-post.ts'
import { listStoredFiles } from './files/list-stored-files.ts'
import { requireConnected, resolveTargets } from './resolve-targets.ts'

/** Publishes a draft: at its scheduled time if that is in the future, otherwise now. */
export async function publishDraft(scope: RequestScope, id: string): Promise<Post> {
  const { ctx, tx, principal, nowMs } = scope
  const { post, channels } = await lockPost(scope, id)
  if (post.status !== 'draft') throw problem('not_a_draft')
  const fields = fieldsFromRow(post)
  const slugs = channels.map((channel) => channel.connection_slug)
  const targets = await resolveTargets(scope, slugs, fields)
  requireText(fields, slugs)
  requireConnected(targets)
  const checked = checkChannels(ctx, fields, targets, await listStoredFiles(scope, post))
  refuseViolations(checked)
  await countUsage(scope)

  const key = { workspaceId: principal.workspaceId, id: post.id }
  const isFuture = post.scheduled_at !== null && post.scheduled_at.getTime() > nowMs
  const dueAt = isFuture && post.scheduled_at ? post.scheduled_at : new Date(nowMs)
  await updatePost(tx, key, { status: isFuture ? 'scheduled' : 'publishing', updated_at: new Date(nowMs), warnings: '[]' })
  for (const [index, channel] of channels.entries()) {
    const found = checked[index]
    const warnings = JSON.stringify(found ? channelWarnings(found, 'scheduled') : [])
    await moveChannels(tx, key, [channel.id], {
      state: 'scheduled',
      due_at: dueAt,
      dispatch_at: dueAt,
      warnings,
      needs_stage: found?.needsStage ?? false,
    })
  }
  if (isFuture) await recordEvents(tx, [{ workspaceId: key.workspaceId, event: 'upload.scheduled', postId: key.id, atMs: nowMs }])
  else scope.afterCommit(() => ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}
