import { PlatformError, type Draft, type Outcome } from '@carillon/connectors'
import { warningTexts, writeWarning } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { findOpenEpoch } from '../../../infra/cell/cell.store.ts'
import type { Tx } from '../../../infra/db/db.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { idLengthMax } from '../../connections/bound-answers.ts'
import { serverWaitMs } from '../../connections/calls/server-health.ts'
import { canRenew } from '../../connections/can-renew.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { lostAnswerWarning, notFoundWarning, unknownPostWarning } from '../../posts/comment-warnings.ts'
import { fieldsForChannel, fieldsFromRow } from '../../posts/post-fields.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { commentJob } from '../jobs.ts'
import { openChannel, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { ask, canAskWithNewToken, canRepeat, renewedAfterMs, renewToken } from '../recover/ask.ts'
import { isDenied } from '../recover/is-denied.ts'
import { awaitServerMs } from '../recover/recover-channel.ts'
import { loadChannel } from '../send/arm.store.ts'
import { trackSend } from '../send/in-flight.ts'
import { giveBackLeases, leaseSends } from '../send/rate-leases.ts'
import { commentHandle, sendAsComment } from '../send/send-channel.ts'
import { quietAfterMs, startLease } from '../send/send-lease.ts'
import { backoffAfter, judgeFailure } from '../settle/judge-failure.ts'
import type { Result } from '../settle/result.ts'
import { armComment, findCommentGuard, finishComment, postponeComment, rearmComment, type CommentGuard } from './comment.store.ts'

/** Calls for one comment; with the waits between them about an hour. */
const commentTriesMax = 10

/** For this long, a platform that does not answer the question is asked again. */
const askForMs = 600_000

/** A comment that is due: what is sent, and how it ends. */
type DueComment = {
  ref: ChannelRef
  loaded: LoadedChannel
  text: string
  postId: string
  finish: (state: 'done' | 'failed', warning: string | null) => Promise<Job[]>
  /** It is there: its id belongs to it. */
  finishPosted: (outcome: Outcome) => Promise<Job[]>
}

/**
 * Posts the first comment, once. It keeps to the rules of a channel: its platform's limits, the waits for a server that is down, and repeats
 * only where the platform recognises them. A comment that cannot be posted is named in the channel's warnings; the post stays published.
 */
export async function sendComment(ctx: Context, ref: ChannelRef): Promise<Job[]> {
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['published'] })
  const finish: DueComment['finish'] = async (state, warning) => {
    await finishComment(ctx.db.system, ref, { state, warning })
    return []
  }
  const finishPosted: DueComment['finishPosted'] = async (outcome) => {
    await finishComment(ctx.db.system, ref, { state: 'done', warning: null, ...commentIdOf(outcome) })
    return []
  }
  if (lost)
    return finish('failed', lost.comment_state === 'submitting' ? lostAnswerWarning : warningTexts.comment_connection_removed)
  if (!loaded) return []
  const postId = loaded.channel.platform_post_id
  const { firstComment: text } = fieldsForChannel(fieldsFromRow(loaded.post), loaded.channel.connection_slug)
  if (!text) return finish('done', null)
  if (!postId) return finish('failed', unknownPostWarning)

  const comment = { ref, loaded, text, postId, finish, finishPosted }
  const guard = await findCommentGuard(ctx.db.system, ref)
  if (guard) return recoverComment(ctx, comment, guard)
  if (loaded.channel.comment_state !== 'waiting') return []
  if (loaded.channel.comment_tries >= commentTriesMax) return finish('failed', lostAnswerWarning)
  const tried = await tryComment(ctx, comment, { state: 'waiting', take: (tx) => armComment(tx, ref) })
  if ('jobs' in tried) return tried.jobs
  const { result, error } = tried
  const { system } = ctx.db
  const tries = loaded.channel.comment_tries + 1
  if (result.kind === 'later' && tries < commentTriesMax) {
    const waitMs = result.renew ? renewedAfterMs : result.atMs - ctx.nowMs()
    await postponeComment(system, ref, { state: 'waiting', waitMs })
    return [...(result.renew ? [renewToken(loaded)] : []), commentJob(ref, waitMs)]
  }
  if (result.kind === 'unknown') {
    const nowMs = ctx.nowMs()
    const found = await askAbout(ctx, comment, { firstMs: nowMs, lastMs: nowMs })
    if (found.state === 'published' || found.state === 'processing') return finishPosted(found)
    // A duplicate that is not found is not this comment.
    if (!result.refusal) return holdGuard(ctx, comment, backoffAfter(tries, Math.random()))
  }
  const reason = error instanceof PlatformError ? error.message : 'something went wrong on our side.'
  return finish('failed', writeWarning('comment_refused', { reason }))
}

/** The guard is set and no answer is known: by an earlier run, which may still be waiting for it. */
async function recoverComment(ctx: Context, comment: DueComment, guard: CommentGuard): Promise<Job[]> {
  const { ref, loaded, finish, finishPosted } = comment
  const opened = openChannel(ctx, loaded)
  const quietMs = quietAfterMs(opened.connector)
  if (guard.idleMs < quietMs) return [commentJob(ref, quietMs - guard.idleMs)]
  const { platform, instance_url: instanceUrl } = loaded.connection
  const downMs = serverWaitMs(ctx, { platform, instanceUrl }, { isCalling: true })
  if (downMs > 0 && guard.ageMs < awaitServerMs) return holdGuard(ctx, comment, downMs)

  const found = await askAbout(ctx, comment, guard)
  if (found.state === 'published' || found.state === 'processing') return finishPosted(found)
  if ((await findOpenEpoch(ctx.db.system)) !== ref.epoch) return []
  if (found.state === 'refused' && canAskWithNewToken(ctx, loaded, opened, guard.firstMs))
    return [renewToken(loaded), ...(await holdGuard(ctx, comment, renewedAfterMs))]
  const waitMs = backoffAfter(guard.tries, Math.random())
  if (guard.tries < commentTriesMax) {
    // The platform itself says that it was not posted: it is sent under a new guard.
    if (isDenied(found)) {
      await postponeComment(ctx.db.system, ref, { state: 'waiting', waitMs })
      return [commentJob(ref, waitMs)]
    }
    if (canRepeat(ctx, loaded, opened, guard.firstMs)) return repeatComment(ctx, comment, guard)
    if (found.state === 'unanswered' && guard.ageMs < askForMs) return holdGuard(ctx, comment, waitMs)
  }
  return finish('failed', found.state === 'absent' ? notFoundWarning : lostAnswerWarning)
}

/** The platform recognises the repeat and answers with the first comment. A refusal says nothing of the call before it. */
async function repeatComment(ctx: Context, comment: DueComment, guard: CommentGuard): Promise<Job[]> {
  const { ref, loaded } = comment
  const tried = await tryComment(ctx, comment, { state: 'submitting', take: (tx) => rearmComment(tx, ref, guard) })
  if ('jobs' in tried) return tried.jobs
  const { result } = tried
  const ownWaitMs = result.kind === 'later' ? result.atMs - ctx.nowMs() : 0
  const waits = await holdGuard(ctx, comment, Math.max(ownWaitMs, backoffAfter(guard.tries + 1, Math.random())))
  return [...(result.kind === 'later' && result.renew ? [renewToken(loaded)] : []), ...waits]
}

/** The guard stays set: it is asked again after the wait, and not before each process has finished its call and every list shows new posts. */
async function holdGuard(ctx: Context, { ref, loaded }: DueComment, waitMs: number): Promise<Job[]> {
  const quietMs = quietAfterMs(connectorOf(ctx, loaded.connection.platform))
  await postponeComment(ctx.db.system, ref, { state: 'submitting', waitMs: Math.max(0, waitMs - quietMs) })
  return [commentJob(ref, Math.max(waitMs, quietMs))]
}

type Attempt = {
  /** Where it returns to if there is no room for it now. */
  state: 'waiting' | 'submitting'
  /** Sets the guard: true for the one run that may send. */
  take: (tx: Tx) => Promise<boolean>
}

/** One call, if the guard and the platform's limits allow it. A failure is judged as that of a channel; what else ends the run is `jobs`. */
async function tryComment(
  ctx: Context,
  comment: DueComment,
  { state, take }: Attempt,
): Promise<{ jobs: Job[] } | { result: Result; error: unknown }> {
  const { ref, loaded, finishPosted } = comment
  const lease = startLease()
  let started = false
  const beforeWrite = () => {
    lease.assertValid()
    started = true
  }
  const opened = openChannel(ctx, loaded, { beforeWrite })
  const waitMs = await ctx.db.system.transaction().execute(async (tx) => {
    if (!(await take(tx))) return null
    const [wait] = (await leaseSends(ctx, tx, [loaded])).wait
    if (!wait) return 0
    const untilMs = Math.max(1, wait.untilMs - ctx.nowMs())
    await postponeComment(tx, ref, { state, waitMs: untilMs, isUntried: true })
    return untilMs
  })
  if (waitMs === null) return { jobs: [] }
  if (waitMs > 0) return { jobs: [commentJob(ref, waitMs)] }

  let outcome: Outcome
  try {
    outcome = await trackSend(ctx, ref, send(opened, comment))
  } catch (error) {
    const { channel, connection } = loaded
    ctx.log.warn({ err: error, channel: channel.id }, 'the first comment was not posted')
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
    await giveLeaseBack(ctx, comment, result)
    return { result, error }
  }
  return { jobs: await finishPosted(outcome) }
}

/** A call that was certainly not carried out does not use up the platform's limits. */
async function giveLeaseBack(ctx: Context, { ref, loaded: { channel, connection } }: DueComment, result: Result): Promise<void> {
  const guard = await findCommentGuard(ctx.db.system, ref)
  const row = { workspace_id: channel.workspace_id, connection_id: connection.id, platform: connection.platform }
  const call = { row, result, chargedAtMs: guard?.lastMs ?? null }
  await ctx.db.system.transaction().execute((tx) => giveBackLeases(ctx, tx, [call]))
}

/** An id that a hostile server made too long for an index is not kept. */
function commentIdOf(outcome: Outcome): { commentId?: string } {
  const isUsable = outcome.state === 'published' && Buffer.byteLength(outcome.postId) <= idLengthMax
  return isUsable ? { commentId: outcome.postId } : {}
}

async function send(opened: OpenedChannel, comment: DueComment): Promise<Outcome> {
  const { connector, client } = opened
  const reply = replyOf(opened, comment)
  const staged = connector.stage && connector.needsStage(reply) ? await connector.stage(client, reply) : null
  return sendAsComment({ ...opened, staged }, comment)
}

function replyOf({ draft }: OpenedChannel, { text, postId }: DueComment): Draft {
  return { ...draft, format: 'text', text, title: null, linkUrl: null, media: [], replyTo: { postId } }
}

function askAbout(ctx: Context, comment: DueComment, sends: Parameters<typeof ask>[3]): ReturnType<typeof ask> {
  const opened = openChannel(ctx, comment.loaded)
  const reply = { ...opened, draft: replyOf(opened, comment), staged: null, handle: commentHandle(opened.handle) }
  return ask(ctx, comment.loaded, reply, sends)
}
