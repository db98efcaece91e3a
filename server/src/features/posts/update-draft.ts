import type { ConnectionOptions, Post, PostChange } from '@carillon/contract'
import { instantOfWall } from '@carillon/core'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { setLabels } from '../labels/manage-labels.ts'
import { attachMedia } from '../media/attached-media.ts'
import { externalColumns, refuseTakenId } from '../../infra/db/external-columns.ts'
import { problem } from '../../infra/problem/problem.ts'
import { endChangedApproval } from './approval/record-decision.ts'
import { buildChannelRows } from './build-channel-rows.ts'
import { checkChannels, splitLongTexts } from './check-channels.ts'
import { withLinkTags } from './link-tags.ts'
import { loadPost, lockPost, requireUnchanged } from './load-post.ts'
import { commentText, fieldsFromRow, rowFromFields, type PostFields } from './post-fields.ts'
import { type PostFiles, listStoredFiles, resolveFiles, toAttachments } from './files/post-files.ts'
import { replaceChannels, updatePost, type PostRow, type PostWithChannels } from './post.store.ts'
import { showPost } from './reading/present-post.ts'
import { resolveTargets } from './resolve-targets.ts'
import { resolveTime, type Timing } from './schedule/resolve-time.ts'

/** Changes a draft. Absent fields stay as they are; null clears a field. */
export async function updateDraft(scope: RequestScope, id: string, change: PostChange): Promise<Post> {
  const { tx, principal, nowMs } = scope
  const { post, channels } = await lockPost(scope, id)
  if (post.status !== 'draft') throw problem('not_a_draft')
  await requireUnchanged(scope, post)
  const { fields, time, files, changesFiles, checked } = await checkChange(scope, { post, channels }, change)
  const { attachments, pending } = toAttachments(files)

  const key = { workspaceId: principal.workspaceId, id: post.id }
  const columns = {
    ...rowFromFields(fields, time),
    ...externalColumns(change),
    // Always another time than before, because the ETag is made from it.
    updated_at: new Date(Math.max(nowMs, post.updated_at.getTime() + 1)),
    ...(changesFiles && { pending_medias: pending && JSON.stringify(pending), pending_error: null }),
  }
  await refuseTakenId(updatePost(tx, key, columns))
  if (change.labels !== undefined) await setLabels(scope, post.id, change.labels ?? [])
  const rows = buildChannelRows(checked, {
    workspaceId: key.workspaceId,
    postId: key.id,
    nowMs,
    state: 'draft',
    dueAt: null,
    traceparent: undefined,
  })
  if (changesFiles) await attachMedia(tx, { workspaceId: key.workspaceId, postId: key.id }, attachments)
  // A channel that stays keeps its id, so that clients can keep referring to it.
  const idBySlug = new Map(channels.map((channel) => [channel.connection_slug, channel.id]))
  await replaceChannels(
    tx,
    key,
    rows.map((row) => ({ ...row, id: idBySlug.get(row.connection_slug) ?? row.id })),
  )
  await endChangedApproval(scope, post)
  return showPost(scope, await loadPost(scope, post.id))
}

/** The post as it would be after the change, and what its platforms would say. `channels` are those that it has without the change. */
export async function checkChange(scope: RequestScope, { post, channels }: PostWithChannels, change: PostChange) {
  const slugs = change.connections ?? channels.map((channel) => channel.connection_slug)
  const whole = changedFields(fieldsFromRow(post), change, slugs)
  const time = changedTime(post, change, scope.nowMs)
  const targets = await resolveTargets(scope, slugs, whole)
  const fields = splitLongTexts(await withLinkTags(scope, whole, { targets, time }), targets, change.splitLongText)
  const stored = await listStoredFiles(scope, post)
  const changesFiles = [change.medias, change.mediaOptions, change.platformOptions, change.type].some(
    (part) => part !== undefined,
  )
  const files = changesFiles ? await changedFiles(scope, stored, change, fields) : stored
  const checked = checkChannels(scope.ctx, fields, targets, { files, dueAt: time.at })
  return { fields, time, targets, files, changesFiles, checked }
}

/** The common files change only if the request names them; the files of single connections come with their options. */
function changedFiles(
  scope: RequestScope,
  { common }: PostFiles,
  change: PostChange,
  { type, platformOptions }: PostFields,
): Promise<PostFiles> {
  const storedOptions = change.medias ? [] : common.map(({ alt }) => (alt === null ? {} : { alt }))
  return resolveFiles(scope, type, {
    medias: change.medias ?? common.map(({ entry }) => entry),
    mediaOptions: change.mediaOptions ?? storedOptions,
    platformOptions,
  })
}

function changedFields(fields: PostFields, change: PostChange, slugs: readonly string[]): PostFields {
  const pick = <T>(next: T | null | undefined, current: T | null): T | null => (next === undefined ? current : next)
  const type = change.type ?? fields.type
  // A format belongs to a type: that of the old type would only be refused later.
  const contentFormat = type === fields.type ? fields.contentFormat : null
  return {
    type,
    contentFormat: pick(change.contentFormat, contentFormat),
    text: pick(change.text, fields.text),
    title: pick(change.title, fields.title),
    firstComment: change.firstComment === undefined ? fields.firstComment : commentText(change.firstComment),
    thread: pick(change.thread, fields.thread),
    linkUrl: pick(change.linkUrl, fields.linkUrl),
    aiGenerated: pick(change.aiGenerated, fields.aiGenerated) ?? false,
    platformOptions: changedOptions(fields, change, slugs),
    linkTags: null,
  }
}

/** Options of a connection that the change takes out of the post, or that was removed since, go with it. */
function changedOptions(
  { platformOptions }: PostFields,
  change: PostChange,
  slugs: readonly string[],
): Record<string, ConnectionOptions> {
  if (change.platformOptions !== undefined) return change.platformOptions ?? {}
  const kept = Object.entries(platformOptions).filter(([slug]) => slugs.includes(slug))
  return Object.fromEntries(kept.map(([slug, options]) => [slug, withoutSplit(options)]))
}

/** What was made of the common text by splitting it is made again of the text that the post has now. */
function withoutSplit(options: ConnectionOptions): ConnectionOptions {
  if (options.splitLongText === undefined) return options
  const { text: _text, thread: _thread, ...others } = options
  return others
}

/** The time of a post after a change. */
export function changedTime(
  post: PostRow,
  change: Pick<PostChange, 'scheduledAt' | 'timezone'>,
  nowMs: number,
): Pick<Timing, 'at' | 'wall' | 'timezone'> {
  const timezone = change.timezone === undefined ? post.timezone : change.timezone
  if (change.scheduledAt) return resolveTime({ scheduledAt: change.scheduledAt, timezone }, nowMs)
  if (change.scheduledAt === null) return { at: null, wall: null, timezone: resolveTime({ timezone }, nowMs).timezone }
  resolveTime({ timezone }, nowMs)
  // A new zone without a new time keeps the wall time and moves the instant.
  const moved = change.timezone && post.scheduled_wall ? instantOfWall(post.scheduled_wall, change.timezone) : null
  return { at: moved ? new Date(moved) : post.scheduled_at, wall: post.scheduled_wall, timezone }
}
