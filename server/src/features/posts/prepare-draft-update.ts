import type { Post, PostChange } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { externalColumns, refuseTakenId } from '../../infra/db/external-columns.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { setLabels } from '../labels/manage-labels.ts'
import { attachMedia } from '../media/attached-media.ts'
import { endChangedApproval } from './approval/record-decision.ts'
import { buildChannelRows } from './build-channel-rows.ts'
import { insertChannelEvents } from './channel-event.store.ts'
import { refuseViolations } from './create-post.ts'
import { adoptAltTexts, toAttachments } from './files/post-files.ts'
import { fetchNamedFiles, prepareWithFiles } from './files/prepare-with-files.ts'
import { requireParts } from './list-missing-parts.ts'
import { loadPost, requireUnchanged } from './load-post.ts'
import { rowFromFields } from './post-fields.ts'
import { changeScheduledChannels, updatePost } from './post.store.ts'
import { showPost } from './reading/present-post.ts'
import { permitChecked } from './release/permit-release.ts'
import { requireConnected } from './resolve-targets.ts'
import { lockScheduledPost } from './schedule/reschedule-post.ts'
import { checkChange, updateDraft } from './update-draft.ts'

type Call = { ctx: Context; principal: { workspaceId: string }; params: { id: string }; body: PostChange }

/** Prepares a change of a draft or of a scheduled post: files that it names by URL are fetched first, while no transaction is open. */
export function prepareDraftUpdate({ ctx, principal, params, body }: Call): Promise<Prepared<Post>> {
  return prepareWithFiles(ctx, async (stored) => {
    const change = await fetchNamedFiles(ctx, body, { workspaceId: principal.workspaceId, stored })
    return {
      async store(scope) {
        const update = body.keepSchedule ? updateScheduledPost : updateDraft
        const post = await update(scope, params.id, change)
        return new Answer(post, { subjectId: post.uploadId })
      },
    }
  })
}

/**
 * Changes a scheduled post, which stays scheduled. It is checked like a new one. Jobs that are already under way for one of its channels
 * become stale, as after a reschedule, and the channel is claimed again with the new content.
 */
async function updateScheduledPost(scope: RequestScope, id: string, change: PostChange): Promise<Post> {
  const { ctx, tx, principal, nowMs } = scope
  const { post, channels } = await lockScheduledPost(scope, id)
  await requireUnchanged(scope, post)
  if (change.scheduledAt === null) throw problem('request_invalid', { details: [keepsNoTime] })
  const { fields, time, targets, files, changesFiles, checked: found } = await checkChange(scope, { post, channels }, change)
  const slugs = targets.map(({ slug }) => slug)
  requireParts(fields, slugs, files.common.length > 0)
  requireConnected(targets)
  refuseViolations(found)
  const checked = await permitChecked(scope, { postId: post.id, dueAt: time.at ?? new Date(nowMs), fields }, found)

  const { workspaceId, personId } = principal
  const key = { workspaceId, id: post.id }
  const { attachments, pending } = toAttachments(files)
  const columns = {
    ...rowFromFields(fields, time),
    ...externalColumns(change),
    updated_at: new Date(Math.max(nowMs, post.updated_at.getTime() + 1)),
    ...(changesFiles && { pending_medias: pending && JSON.stringify(pending), pending_error: null }),
  }
  await refuseTakenId(updatePost(tx, key, columns))
  if (change.labels !== undefined) await setLabels(scope, post.id, change.labels ?? [])
  if (changesFiles) {
    await attachMedia(tx, { workspaceId, postId: post.id }, attachments)
    await adoptAltTexts(scope, files)
  }
  const { traceparent } = scope
  const rows = buildChannelRows(checked, { workspaceId, postId: post.id, nowMs, state: 'scheduled', dueAt: time.at, traceparent })
  const ids = await changeScheduledChannels(tx, key, { before: channels, rows })
  await endChangedApproval(scope, post)
  const at = new Date(nowMs)
  await insertChannelEvents(
    tx,
    ids.map((channelId) => ({
      workspace_id: workspaceId,
      post_id: post.id,
      channel_id: channelId,
      at,
      stage: 'queued' as const,
      attempt: 0,
      code: 'post_changed',
      platform_code: null,
      message: null,
      retry_at: null,
    })),
  )
  if (time.at?.getTime() !== post.scheduled_at?.getTime())
    await recordEvents(tx, [{ workspaceId, event: 'upload.scheduled', postId: post.id, personId, atMs: nowMs }])
  if (time.at !== null && time.at.getTime() <= nowMs) scope.afterCommit(() => ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}

const keepsNoTime = {
  path: 'scheduledAt',
  code: 'invalid',
  message: 'A post that stays scheduled needs a time. Use POST /content/:id/unschedule to make a draft of it.',
  params: {},
}
