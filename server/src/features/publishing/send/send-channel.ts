import { requireWholeIds, type Outcome } from '@carillon/connectors'
import { warningTexts } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { idLengthMax, webAddressOf } from '../../connections/bound-answers.ts'
import { canRenew } from '../../connections/can-renew.ts'
import { channelError } from '../../posts/channel-error.ts'
import { openChannel, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { openFiles } from '../prepare/open-files.ts'
import { awaitReconnect, judgeFailure, judgeOwnFailure, type Attempt } from '../settle/judge-failure.ts'
import type { KnownResult, Result } from '../settle/result.ts'
import { requestIdFrom } from '../../../infra/tracing/start-span.ts'
import type { SendLease } from './send-lease.ts'

/**
 * Sends a channel whose guard this process has set within the lease. Never throws: every end is a result. `parent` is the span under which
 * the calls are recorded.
 */
export async function sendChannel(ctx: Context, loaded: LoadedChannel, lease: SendLease, parent?: string): Promise<Result> {
  const { channel, connection } = loaded
  let started = false
  const beforeWrite = () => {
    lease.assertValid()
    started = true
  }
  if (connection.status === 'needs_reconnect') {
    const result = awaitReconnect(attemptOf(ctx, loaded), null)
    return withMessage(result, connection.status_reason)
  }
  let opened: OpenedChannel
  try {
    const files = await openFiles(ctx, loaded)
    if (files.violations.length > 0)
      return { kind: 'failed', error: { ...channelError('media_unusable'), message: files.violations.join(' ') } }
    opened = openChannel(ctx, loaded, { media: files.media, beforeWrite, parent })
  } catch (error) {
    ctx.log.error(
      { err: error, channel: channel.id, traceId: requestIdFrom(channel.traceparent) },
      'a channel could not be opened; nothing was sent',
    )
    return judgeOwnFailure(error, attemptOf(ctx, loaded))
  }
  try {
    return resultOf(await submit(opened), ctx.nowMs())
  } catch (error) {
    return failureOf(ctx, loaded, { opened, error, started })
  }
}

/** The one line that sends a post. Its callers have set the guard, or the platform makes the repeat harmless. */
function submit({ connector, client, draft, staged, handle }: OpenedChannel): Promise<Outcome> {
  return connector.submit(client, draft, staged, handle)
}

type Failure = { opened: OpenedChannel; error: unknown; started: boolean }

export function failureOf(ctx: Context, loaded: LoadedChannel, { opened, error, started }: Failure): Result {
  const result = judgeFailure(error, {
    ...attemptOf(ctx, loaded),
    canRenew: canRenew(opened.connector, opened.client.credentials),
    started,
  })
  if (result.kind === 'unknown' || (result.kind === 'failed' && result.error.code === 'publish_failed'))
    ctx.log.error(
      { err: error, channel: loaded.channel.id, traceId: requestIdFrom(loaded.channel.traceparent), started },
      'a send failed and was not answered by the platform',
    )
  return result
}

function attemptOf(ctx: Context, { channel }: LoadedChannel): Attempt {
  const nowMs = ctx.nowMs()
  return {
    tries: channel.tries,
    refusals: channel.refusals,
    renewed: channel.renew_token,
    canRenew: false,
    dueAtMs: channel.due_at?.getTime() ?? nowMs,
    nowMs,
    random: Math.random(),
    isReply: channel.reply_to !== null,
    started: false,
  }
}

function withMessage(result: Result, message: string | null): Result {
  if (message === null || (result.kind !== 'later' && result.kind !== 'failed')) return result
  return { ...result, error: { ...result.error, message } }
}

/** Throws if the id in it is damaged: then it is not known what became of the send. */
export function resultOf(answered: Outcome, nowMs: number): KnownResult {
  const outcome = requireWholeIds(answered)
  if (outcome.state === 'processing') {
    const { state: kind, ...processing } = outcome
    return { kind, ...processing }
  }
  const { postId, postUrl, warnings = [] } = outcome
  const hasId = postId.length <= idLengthMax
  return {
    kind: 'published',
    postId: hasId ? postId : null,
    postUrl: webAddressOf(postUrl),
    warnings: hasId ? warnings : [...warnings, warningTexts.id_too_long],
    atMs: nowMs,
  }
}
