import type { Outcome } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { openChannel, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { channelError } from '../../posts/channel-error.ts'
import { judgeFailure } from '../settle/judge-failure.ts'
import { openFiles } from '../prepare/open-files.ts'
import type { Result } from '../settle/result.ts'

/** Sends a channel whose guard this run has set. Never throws: every end is a result. */
export async function sendChannel(ctx: Context, loaded: LoadedChannel): Promise<Result> {
  if (loaded.connection.status === 'needs_reconnect') {
    return {
      kind: 'failed',
      error: {
        ...channelError('reconnect_needed'),
        message: loaded.connection.status_reason ?? channelError('reconnect_needed').message,
      },
    }
  }
  let opened: OpenedChannel
  try {
    opened = openChannel(ctx, loaded, (await openFiles(ctx, loaded)).media)
  } catch (error) {
    ctx.log.error({ err: error, channel: loaded.channel.id }, 'a channel could not be opened; nothing was sent')
    return { kind: 'failed', error: channelError('publish_failed') }
  }
  try {
    return resultOf(await submit(opened), ctx.nowMs())
  } catch (error) {
    return failureOf(ctx, loaded, opened, error)
  }
}

/** The one line that sends a post. Whoever calls it has set the guard, or the platform makes the repeat harmless. */
function submit({ connector, client, draft, staged, handle }: OpenedChannel): Promise<Outcome> {
  return connector.submit(client, draft, staged, handle)
}

export function failureOf(ctx: Context, { channel }: LoadedChannel, { connector }: OpenedChannel, error: unknown): Result {
  return judgeFailure(error, {
    tries: channel.tries,
    renewed: channel.renew_token,
    canRenew: connector.auth.renew !== undefined,
    nowMs: ctx.nowMs(),
  })
}

export function resultOf(outcome: Outcome, nowMs: number): Result {
  if (outcome.state === 'processing')
    return { kind: 'processing', reference: outcome.reference, checkAfterMs: outcome.checkAfterMs }
  return { kind: 'published', postId: outcome.postId, postUrl: outcome.postUrl, warnings: outcome.warnings ?? [], atMs: nowMs }
}

/** A first comment goes through the same line, with a handle of its own. */
export function sendAsComment(opened: OpenedChannel, { text, postId }: { text: string; postId: string }): Promise<Outcome> {
  return submit({
    ...opened,
    draft: { ...opened.draft, format: 'text', text, title: null, linkUrl: null, media: [], replyTo: { postId } },
    handle: { key: `${opened.handle.key}-comment`, atMs: opened.handle.atMs },
  })
}
