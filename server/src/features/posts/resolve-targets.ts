import type { Detail, Post } from '@carillon/contract'
import { channelTransitions } from '@carillon/core'
import type { Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { type LinkedAccount, findConnections } from '../connections/find-connections.ts'
import { channelError, threadStopped } from './channel-error.ts'
import { insertChannelEvents } from './channel-event.store.ts'
import { loadPost, lockPost } from './load-post.ts'
import {
  type ChangedPart,
  findUnconfirmedPart,
  insertNextParts,
  replaceCommentWarnings,
  unknownPostWarning,
} from './part.store.ts'
import type { PostFields } from './post-fields.ts'
import { type PartRow, moveChannels } from './post.store.ts'
import { showPost } from './reading/present-post.ts'
import { requireAllowed } from './release/allowed-posts.ts'
import { updatePostStatuses } from './update-post-statuses.ts'

/** Finds the connections that a post names, in its order. Refuses unknown slugs, and options for connections that it does not name. */
export async function resolveTargets(scope: RequestScope, slugs: readonly string[], post: PostFields): Promise<LinkedAccount[]> {
  requireAllowed(scope.principal, slugs)
  const known = await findConnections(scope, slugs)
  const missing = slugs.flatMap((slug, index) => (known.has(slug) ? [] : [unknownConnection(slug, index)]))
  if (missing.length > 0) {
    throw problem('connection_unknown', { message: missing.map(({ message }) => message).join(' '), details: missing })
  }
  const unknownOptions = Object.keys(post.platformOptions).filter((key) => !slugs.includes(key))
  if (unknownOptions.length > 0) {
    const details = unknownOptions.map((key) => ({
      path: `platformOptions.${key}`,
      code: 'connection_unknown',
      params: { connection: key },
      message: `"${key}" is not one of this post’s connections.`,
    }))
    throw problem('request_invalid', { details })
  }
  return slugs.flatMap((slug) => known.get(slug) ?? [])
}

export function unknownConnection(slug: string, index: number): Detail {
  const message = `The workspace has no connection "${slug}".`
  return { path: `connections[${index}]`, code: 'connection_unknown', message, params: { connection: slug } }
}

/** Refuses to publish to connections that a person must connect again first. */
export function requireConnected(targets: readonly LinkedAccount[]): void {
  const details = targets.flatMap((target, index) => (target.needsReconnect ? [reconnectDetail(target, index)] : []))
  if (details.length > 0) throw problem('connection_needs_reconnect', { details })
}

export function reconnectDetail({ slug, statusReason }: LinkedAccount, index: number): Detail {
  // A reason may be the platform's own sentence, with or without a full stop.
  const reason = (statusReason ?? 'its permission has ended').trimEnd()
  const message = `${slug} must be connected again: ${reason}${reason.endsWith('.') ? '' : '.'}`
  return { path: `connections[${index}]`, code: 'connection_needs_reconnect', message, params: { connection: slug } }
}

type Resolution = { outcome: 'published' | 'not_published'; postUrl?: string }

/** Sets the outcome of an unconfirmed channel after a person has checked the platform. */
export async function resolveChannel(
  scope: RequestScope,
  { id, channelId }: { id: string; channelId: string },
  { outcome, postUrl }: Resolution,
): Promise<Post> {
  const { tx, principal, nowMs } = scope
  const { post, channels } = await lockPost(scope, id)
  const channel = channels.find((candidate) => candidate.id === channelId)
  if (!channel) throw problem('channel_not_found')
  const key = { workspaceId: principal.workspaceId, id: post.id }
  const part = await findUnconfirmedPart(tx, key, channel.id)
  if (!part) throw problem('not_unconfirmed')

  const publishedAt = part.submitted_at ?? new Date(nowMs)
  const isPublished = outcome === 'published'
  const change = isPublished
    ? {
        post_url: postUrl ?? null,
        published_at: publishedAt,
        finished_at: publishedAt,
        error: null,
      }
    : { error: JSON.stringify(channelError('not_published')) }
  const transition = isPublished ? 'resolvePublished' : 'resolveNotPublished'
  await moveChannels(tx, key, { channelIds: [part.id], transition, change })
  await insertChannelEvents(tx, [
    {
      workspace_id: key.workspaceId,
      post_id: key.id,
      channel_id: channel.id,
      at: new Date(nowMs),
      stage: 'resolved',
      attempt: part.attempts,
      code: outcome,
      platform_code: null,
      message: null,
      retry_at: null,
    },
  ])
  if (isPublished && part.number === part.thread_parts && part.parts > part.number + 1)
    await replaceCommentWarnings(tx, [{ workspace_id: key.workspaceId, channel_id: channel.id, warning: unknownPostWarning }])
  const rest = isPublished && part.number < part.thread_parts ? await endThread(tx, part, nowMs) : []
  const { state } = rest[0] ?? { state: channelTransitions[transition].to }
  await updatePostStatuses(tx, [{ ...part, id: channel.id, state }], nowMs)
  return showPost(scope, await loadPost(scope, post.id))
}

/** The rest of a thread needs, as a first comment does, the platform's id of the post before it, and a person gives the address only. */
function endThread(tx: Tx, part: PartRow, nowMs: number): Promise<ChangedPart[]> {
  const next = { workspaceId: part.workspace_id, id: newId(nowMs), afterId: part.id, needsStage: false, afterMs: 0 }
  return insertNextParts(tx, [{ ...next, transition: 'followInVain', error: JSON.stringify(threadStopped) }])
}
