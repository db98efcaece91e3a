import { PlatformError, type Draft, type Found } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { findOpenEpoch } from '../../../infra/cell/cell.store.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { canRenew } from '../../connections/can-renew.ts'
import { renewJob } from '../../connections/jobs.ts'
import { lostAnswerWarning, notFoundWarning, unknownPostWarning } from '../../posts/comment-warnings.ts'
import { fieldsForChannel, fieldsFromRow } from '../../posts/post-fields.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { commentJob } from '../jobs.ts'
import { openChannel, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { isDenied } from '../recover/is-denied.ts'
import { findKnownPostIds } from '../recover/known-posts.store.ts'
import { mayAnswerLater } from '../recover/may-answer-later.ts'
import { loadChannel } from '../send/arm.store.ts'
import { trackSend } from '../send/in-flight.ts'
import { commentHandle, sendAsComment } from '../send/send-channel.ts'
import { quietAfterMs, startLease } from '../send/send-lease.ts'
import { judgeFailure } from '../settle/judge-failure.ts'
import { armComment, commentAgeMs, finishComment, postponeComment } from './comment.store.ts'

type Comment = { text: string; postId: string }

/**
 * Posts the first comment, once. What the platform certainly did not take is tried again, as a channel is. A comment that cannot be posted is
 * named in the channel's warnings, and a person can retry it; the post stays published.
 */
export async function sendComment(ctx: Context, ref: ChannelRef): Promise<Job[]> {
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['published'] })
  const finish = async (state: 'done' | 'failed', warning: string | null) => {
    await finishComment(ctx.db.system, ref, { state, warning })
    return []
  }
  if (lost)
    return finish(
      'failed',
      lost.comment_state === 'submitting' ? lostAnswerWarning : 'The first comment was not posted: the connection was removed.',
    )
  if (!loaded) return []
  const postId = loaded.channel.platform_post_id
  const { firstComment } = fieldsForChannel(fieldsFromRow(loaded.post), loaded.channel.connection_slug)
  if (!firstComment) return finish('done', null)
  if (!postId) return finish('failed', unknownPostWarning)

  const lease = startLease()
  const comment = { text: firstComment, postId }
  let started = false
  const beforeWrite = () => {
    lease.assertValid()
    started = true
  }
  const opened = openChannel(ctx, loaded, { beforeWrite })
  if (!(await armComment(ctx.db.system, ref))) {
    // An earlier run set the guard and did not finish.
    const ageMs = await commentAgeMs(ctx.db.system, ref)
    if (ageMs === null) return []
    const quietMs = quietAfterMs(opened.connector)
    if (ageMs < quietMs) return [commentJob(ref, quietMs - ageMs)]
    const found = await ask(ctx, loaded, opened, comment)
    if (found.state === 'published' || found.state === 'processing') return finish('done', null)
    if ((await findOpenEpoch(ctx.db.system)) !== ref.epoch) return []
    if (opened.connector.manifest.handle !== 'key') {
      // The sweep for lost comments starts this again within two minutes.
      if (found.state === 'unanswered' && ageMs < askForMs) return []
      if (!isDenied(found) || loaded.channel.comment_tries >= commentTriesMax)
        return finish('failed', found.state === 'absent' ? notFoundWarning : lostAnswerWarning)
      await postponeComment(ctx.db.system, ref, new Date(ctx.nowMs()))
      return [commentJob(ref)]
    }
  }
  try {
    await trackSend(ctx, ref, send(opened, comment))
    return finish('done', null)
  } catch (error) {
    ctx.log.warn({ err: error, channel: loaded.channel.id }, 'the first comment was not posted')
    return afterFailure(ctx, loaded, { ref, opened, error, started, comment })
  }
}

type Failure = { ref: ChannelRef; opened: OpenedChannel; error: unknown; started: boolean; comment: Comment }

async function afterFailure(
  ctx: Context,
  loaded: LoadedChannel,
  { ref, opened, error, started, comment }: Failure,
): Promise<Job[]> {
  const { channel, connection } = loaded
  const nowMs = ctx.nowMs()
  const result = judgeFailure(error, {
    tries: channel.comment_tries + 1,
    refusals: channel.comment_tries,
    renewed: false,
    canRenew: connection.status === 'active' && canRenew(opened.connector, opened.client.credentials),
    dueAtMs: nowMs,
    nowMs,
    random: Math.random(),
    started,
  })
  const { system } = ctx.db
  if (result.kind === 'later' && channel.comment_tries < commentTriesMax) {
    const atMs = result.renew ? nowMs + renewedAfterMs : result.atMs
    await postponeComment(system, ref, new Date(atMs))
    const key = { workspaceId: connection.workspace_id, id: connection.id }
    return [...(result.renew ? [renewJob(key, connection.token_renewed_at.getTime())] : []), commentJob(ref, atMs - nowMs)]
  }
  if (result.kind === 'unknown') {
    const found = await ask(ctx, loaded, opened, comment)
    const isThere = found.state === 'published' || found.state === 'processing'
    if (isThere) {
      await finishComment(system, ref, { state: 'done', warning: null })
      return []
    }
    // The guard stays set: a new post may be missing from the platform's lists for a while, so it is asked again when that has passed.
    if (opened.connector.manifest.handle !== 'key') return [commentJob(ref, quietAfterMs(opened.connector))]
    // The call has ended, and the platform recognises the repeat: it is made soon, under a new guard.
    await postponeComment(system, ref, new Date(nowMs + repeatAfterMs))
    return [commentJob(ref, repeatAfterMs)]
  }
  const reason = error instanceof PlatformError ? error.message : 'something went wrong on our side.'
  await finishComment(system, ref, { state: 'failed', warning: `The first comment was not posted: ${reason}` })
  return []
}

const repeatAfterMs = 3_000
/** Time for the token to be renewed. */
const renewedAfterMs = 5_000

/** For this long, a platform that does not answer the question is asked again. */
const askForMs = 600_000

/** Attempts at a comment; with the waits between them about an hour. */
const commentTriesMax = 10

async function send(opened: OpenedChannel, comment: Comment): Promise<void> {
  const { connector, client } = opened
  const reply = replyOf(opened, comment)
  const staged = connector.stage && connector.needsStage(reply) ? await connector.stage(client, reply) : null
  await sendAsComment({ ...opened, staged }, comment)
}

function replyOf({ draft }: OpenedChannel, { text, postId }: Comment): Draft {
  return { ...draft, format: 'text', text, title: null, linkUrl: null, media: [], replyTo: { postId } }
}

/** `unanswered`: the question failed for a reason that passes. Any other failure tells nothing. */
type Answer = Found | { state: 'unanswered' }

async function ask(ctx: Context, { channel }: LoadedChannel, opened: OpenedChannel, comment: Comment): Promise<Answer> {
  const { connector, client, handle } = opened
  if (!connector.find) return { state: 'unknown' }
  const nowMs = ctx.nowMs()
  const window = { fromMs: nowMs - 3_600_000, untilMs: nowMs }
  try {
    const knownPostIds = await findKnownPostIds(ctx.db.system, channel)
    knownPostIds.add(comment.postId)
    const sent = { draft: replyOf(opened, comment), staged: null, handle: commentHandle(handle), window, knownPostIds }
    return await connector.find(client, sent)
  } catch (error) {
    ctx.log.warn({ err: error, channel: channel.id }, 'the platform could not be asked about a first comment')
    return { state: mayAnswerLater(error) ? 'unanswered' : 'unknown' }
  }
}
