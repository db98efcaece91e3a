import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { countUsage } from '../workspaces/count-usage.ts'
import { channelWarnings } from './channel-rows.ts'
import { checkChannels } from './check-channels.ts'
import { refuseViolations, requireText } from './create-post.ts'
import { loadPost, lockPost } from './load-post.ts'
import { fieldsOfRow } from './post-fields.ts'
import { moveChannels, updatePost } from './post.store.ts'
import { showPost } from './reading/show-post.ts'
import { storedFiles } from './files/stored-files.ts'
import { refuseUnconnected, resolveTargets } from './resolve-targets.ts'

/** Sends a draft on its way: at its time if that lies ahead, otherwise now. */
export async function publishDraft(scope: RequestScope, id: string): Promise<Post> {
  const { ctx, tx, principal, nowMs } = scope
  const { post, channels } = await lockPost(scope, id)
  if (post.status !== 'draft') throw problem('not_a_draft')
  const fields = fieldsOfRow(post)
  const slugs = channels.map((channel) => channel.connection_slug)
  const targets = await resolveTargets(scope, slugs, fields)
  requireText(fields, slugs)
  refuseUnconnected(targets)
  const checked = checkChannels(ctx, fields, targets, await storedFiles(scope, post))
  refuseViolations(checked)
  await countUsage(scope)

  const key = { workspaceId: principal.workspaceId, id: post.id }
  const isAhead = post.scheduled_at !== null && post.scheduled_at.getTime() > nowMs
  const dueAt = isAhead && post.scheduled_at ? post.scheduled_at : new Date(nowMs)
  await updatePost(tx, key, { status: isAhead ? 'scheduled' : 'publishing', updated_at: new Date(nowMs), warnings: '[]' })
  for (const [at, channel] of channels.entries()) {
    const found = checked[at]
    const warnings = JSON.stringify(found ? channelWarnings(found, 'scheduled') : [])
    await moveChannels(tx, key, [channel.id], {
      state: 'scheduled',
      due_at: dueAt,
      dispatch_at: dueAt,
      warnings,
      needs_stage: found?.needsStage ?? false,
    })
  }
  if (isAhead) await recordEvents(tx, [{ workspaceId: key.workspaceId, event: 'upload.scheduled', postId: key.id, atMs: nowMs }])
  else scope.afterCommit(() => ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}
