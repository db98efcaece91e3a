import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { countUsage } from '../workspaces/present-workspace.ts'
import { endApproval } from './approval/record-decision.ts'
import { requireRevision } from './approval/revision.ts'
import { channelWarnings } from './build-channel-rows.ts'
import { checkChannels } from './check-channels.ts'
import { refuseViolations } from './create-post.ts'
import { requireParts } from './list-missing-parts.ts'
import { loadPost, lockPost, requireUnchanged } from './load-post.ts'
import { fieldsFromRow, type PostFields } from './post-fields.ts'
import { moveChannels, updatePost, type PostRow, type PostWithChannels } from './post.store.ts'
import { showPost } from './reading/present-post.ts'
import { adoptAltTexts, listStoredFiles } from './files/post-files.ts'
import { permitChecked } from './release/permit-release.ts'
import { requireConnected, resolveTargets } from './resolve-targets.ts'

/**
 * Publishes a draft: at its scheduled time if that is in the future, otherwise now. With `approved`, the caller approves this revision of it, and
 * a draft that is another one by now is refused.
 */
export async function publishDraft(scope: RequestScope, id: string, approved?: string): Promise<Post> {
  const { ctx, tx, principal, nowMs } = scope
  const { post, channels: all } = await lockPost(scope, id)
  if (post.status !== 'draft') throw problem('not_a_draft')
  await requireUnchanged(scope, post)
  if (approved !== undefined) await requireRevision(scope, { post, channels: all }, approved)
  const { channels, fields, files, found } = await checkStored(scope, { post, channels: all })
  const isFuture = post.scheduled_at !== null && post.scheduled_at.getTime() > nowMs
  const dueAt = isFuture && post.scheduled_at ? post.scheduled_at : new Date(nowMs)
  const checked = await permitChecked(scope, { postId: post.id, dueAt, fields, isApproved: approved !== undefined }, found)
  if (approved === undefined) await endApproval(scope, post)
  await adoptAltTexts(scope, files)
  if (!post.counted) await countUsage(scope)

  const key = { workspaceId: principal.workspaceId, id: post.id }
  await updatePost(tx, key, {
    status: isFuture ? 'scheduled' : 'publishing',
    counted: true,
    pending_error: null,
    updated_at: new Date(nowMs),
    warnings: '[]',
  })
  for (const [index, channel] of channels.entries()) {
    const result = checked[index]
    if (!result) throw new Error(`channel ${channel.id} was not checked`)
    const change = {
      due_at: dueAt,
      dispatch_at: dueAt,
      warnings: JSON.stringify(channelWarnings(result, 'scheduled')),
      issues: null,
      needs_stage: result.needsStage,
      media_count: result.mediaCount,
    }
    // A post that was held because it was late may have a channel that had already failed.
    const transition = channel.state === 'failed' ? 'retry' : 'schedule'
    await moveChannels(tx, key, { channelIds: [channel.id], transition, change })
  }
  if (isFuture) await recordEvents(tx, [{ workspaceId: key.workspaceId, event: 'upload.scheduled', postId: key.id, atMs: nowMs }])
  else scope.afterCommit(() => ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}

/** The draft as it would be published. Refuses one that lacks something or breaks a rule of a platform. */
export async function checkStored(scope: RequestScope, { post, channels: all }: PostWithChannels) {
  // A canceled channel's connection was removed while the post was scheduled. The channel stays canceled, and its options are ignored.
  const channels = all.filter(({ state }) => state !== 'canceled')
  const slugs = channels.map((channel) => channel.connection_slug)
  const fields = fieldsOf(post, slugs)
  const targets = await resolveTargets(scope, slugs, fields)
  const files = await listStoredFiles(scope, post)
  requireParts(fields, slugs, files.common.length > 0)
  requireConnected(targets)
  const found = checkChannels(scope.ctx, fields, targets, { files, dueAt: post.scheduled_at })
  refuseViolations(found)
  return { channels, fields, files, found }
}

function fieldsOf(post: PostRow, slugs: readonly string[]): PostFields {
  const { platformOptions, ...fields } = fieldsFromRow(post)
  const entries = Object.entries(platformOptions).filter(([slug]) => slugs.includes(slug))
  return { ...fields, platformOptions: Object.fromEntries(entries) }
}
