import type { Accepted, NewPost, PostType } from '@carillon/contract'
import { etagOf } from '../../infra/http/etag.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { refuseTakenId } from '../../infra/db/external-columns.ts'
import { problem } from '../../infra/problem/problem.ts'
import { countUsage, currentUsage } from '../workspaces/present-workspace.ts'
import { linkOfSubmission } from './approval/links/link-of-submission.ts'
import { recordSubmission } from './approval/record-decision.ts'
import { buildChannelRows } from './build-channel-rows.ts'
import { checkChannels, splitLongTexts, type CheckedChannel } from './check-channels.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { addLabels, requireLabels } from '../labels/manage-labels.ts'
import { takeSlot } from '../queues/take-slot.ts'
import { attachMedia } from '../media/attached-media.ts'
import { withLinkTags } from './link-tags.ts'
import { requireParts } from './list-missing-parts.ts'
import { lockPost } from './load-post.ts'
import { fieldsFromBody, rowFromFields, type PostFields } from './post-fields.ts'
import { type PostFiles, adoptAltTexts, resolveFiles, toAttachments } from './files/post-files.ts'
import { insertPost } from './post.store.ts'
import { permitChecked } from './release/permit-release.ts'
import { requireConnected, resolveTargets } from './resolve-targets.ts'
import { resolveTime, type Timing } from './schedule/resolve-time.ts'

/** `isApproved`: an approval of its series covers it. `isCounted`: it takes the place of a post that was counted and not sent. */
type Making = { isApproved?: boolean; isCounted?: boolean }

/** Checks a post against every platform's rules, stores it, and wakes the workers if it is due now. */
export async function createPost(
  scope: RequestScope,
  type: PostType,
  body: NewPost,
  { isApproved = false, isCounted = false }: Making = {},
): Promise<Answer<Accepted>> {
  const { ctx, tx, principal, nowMs } = scope
  const { workspaceId } = principal
  const isSubmitted = body.submit === true
  const isDraft = body.saveDraft === true || isSubmitted
  const isFinished = !isDraft || isSubmitted
  refuseSecondTime(body)
  const files = await resolveFiles(scope, type, body)
  const whole = withDocumentTitle(fieldsFromBody(type, body), files)
  const given = resolveTime(body, nowMs)
  const targets = await resolveTargets(scope, body.connections, whole)
  const id = newId(nowMs)
  const { queue } = body
  const time = queue === undefined ? given : await takeSlot(scope, { queue, slugs: body.connections, postId: id })
  const fields = splitLongTexts(await withLinkTags(scope, whole, { targets, time }), targets, body.splitLongText)
  if (isFinished) requireParts(fields, body.connections, files.common.length > 0)
  const checked = checkChannels(ctx, fields, targets, { files, dueAt: time.at })
  if (isFinished) {
    requireConnected(targets)
    refuseViolations(checked)
  }

  const { labels = [] } = body
  await requireLabels(scope, labels)
  const requestId = newUuid()
  const status = isDraft ? 'draft' : time.isNow ? 'queued' : 'scheduled'
  const dueAt = computeDueAt(time, isDraft, nowMs)
  const channels = dueAt === null ? checked : await permitChecked(scope, { postId: id, dueAt, fields, isApproved }, checked)
  const plan = {
    workspaceId,
    postId: id,
    nowMs,
    state: isDraft ? ('draft' as const) : ('scheduled' as const),
    dueAt,
    traceparent: scope.traceparent,
  }
  const { attachments, pending } = toAttachments(files)
  const row = {
    ...buildPostRow(fields, time, nowMs),
    workspace_id: workspaceId,
    id,
    request_id: requestId,
    status,
    pending_medias: pending && JSON.stringify(pending),
    counted: !isDraft,
    external_id: body.externalId ?? null,
    metadata: JSON.stringify(body.metadata ?? {}),
  } as const
  if (!isDraft) await adoptAltTexts(scope, files)
  const { personId } = principal
  const event = { workspaceId, personId, atMs: nowMs }
  // All are sent at once. The row that counts posts is the last, because other requests wait for it until this one has ended.
  const storing = Promise.all([
    insertPost(tx, row, buildChannelRows(channels, plan)),
    attachments.length > 0 && attachMedia(tx, { workspaceId, postId: id }, attachments),
    addLabels(tx, { workspaceId, postId: id }, labels),
    isDraft
      ? recordEvents(tx, [{ ...event, event: 'post.changed', subjectId: id }])
      : status === 'scheduled' && recordEvents(tx, [{ ...event, event: 'upload.scheduled', postId: id }]),
    isDraft ? null : isCounted ? currentUsage(scope, workspaceId, principal.plan) : countUsage(scope),
  ])
  // Around all of them: after the first failure, the others fail too.
  const [, , , , usage] = await refuseTakenId(storing)
  const revision = isSubmitted ? await recordSubmission(scope, await lockPost(scope, id)) : null
  const about = { subjectId: id, etag: etagOf(row.updated_at) }
  if (!usage) {
    const approvalUrl = isSubmitted && { approvalUrl: `${ctx.config.publicUrl}/w/${workspaceId}/posts/${id}` }
    const approvalLink = await linkOfSubmission(scope, { id, approval_revision: revision })
    return new Answer<Accepted>({ success: true, draftId: id, ...approvalUrl, ...(approvalLink && { approvalLink }) }, about)
  }

  if (time.isNow) scope.afterCommit(() => ctx.engine.wakeWorkers())
  const scheduledAt = time.at?.toISOString() ?? null
  if (!body.async) {
    const slot = queue !== undefined && scheduledAt !== null && { scheduledAt }
    return new Answer<Accepted>({ success: true, requestId, uploadId: id, usage, ...slot }, about)
  }
  const message = scheduledAt ? 'Scheduled. Follow it with GET /content/status.' : 'Accepted. Follow it with GET /content/status.'
  return new Answer<Accepted>(
    { success: true, requestId, usage, message, scheduledAt, totalChannels: checked.length },
    { status: 202, ...about },
  )
}

/** A queue chooses the time of a post that is to be published. */
function refuseSecondTime({ queue, scheduledAt, timezone, saveDraft, submit }: NewPost): void {
  if (queue === undefined) return
  const refuse = (path: string, message: string) => {
    throw problem('request_invalid', { message, details: [{ path, message }] })
  }
  if (scheduledAt !== undefined) refuse('scheduledAt', 'The queue chooses the time: leave out scheduledAt, or queue.')
  if (timezone !== undefined) refuse('timezone', 'The queue has its own time zone: leave out timezone, or queue.')
  if (submit)
    refuse('queue', 'A post that waits for approval has no slot: leave out queue, and wish for a time with scheduledAt.')
  if (saveDraft) refuse('queue', 'A draft has no slot. Put it into the queue later with POST /content/:id/queue.')
}

export function refuseViolations(checked: readonly CheckedChannel[]): void {
  const details = checked.flatMap(({ violations }) => violations)
  if (details.length > 0) throw problem('post_invalid', { details })
}

function computeDueAt(time: Timing, isDraft: boolean, nowMs: number): Date | null {
  return isDraft ? null : time.isNow ? new Date(nowMs) : time.at
}

function buildPostRow(fields: PostFields, time: Timing, nowMs: number) {
  return {
    ...rowFromFields(fields, time),
    warnings: '[]',
    created_at: new Date(nowMs),
    updated_at: new Date(nowMs),
  }
}

/** A document post without a title takes the name of its file as title. */
function withDocumentTitle(fields: PostFields, { common }: PostFiles): PostFields {
  return fields.type === 'document' && fields.title === null ? { ...fields, title: common[0]?.row?.name ?? null } : fields
}
