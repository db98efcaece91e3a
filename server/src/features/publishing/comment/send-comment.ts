import { PlatformError } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { loadChannel } from '../send/arm.store.ts'
import { openChannel, type LoadedChannel } from '../open-channel.ts'
import { armComment, finishComment } from './comment.store.ts'
import type { ChannelRef } from '../jobs.ts'
import { fieldsForChannel, fieldsFromRow } from '../../posts/post-fields.ts'
import { sendAsComment } from '../send/send-channel.ts'

/** Posts the first comment, once. It can fail; then the post says so in its warnings and stays published. */
export async function sendComment(ctx: Context, ref: ChannelRef): Promise<Job[]> {
  const loaded = await loadChannel(ctx.db.system, ref, ['published'])
  const postId = loaded?.channel.platform_post_id
  if (!loaded || !postId) return []
  const { firstComment } = fieldsForChannel(fieldsFromRow(loaded.post), loaded.channel.connection_slug)
  if (!firstComment) return []
  const isMine = await armComment(ctx.db.system, ref)
  const opened = openChannel(ctx, loaded)
  // A run before this one set the guard. Only a platform that recognises the repeat may be sent it again.
  if (!isMine && (loaded.channel.comment_state !== 'submitting' || opened.connector.manifest.handle !== 'key')) {
    await finishComment(ctx.db.system, ref, 'The first comment may not have been posted: its answer was lost.')
    return []
  }
  await finishComment(ctx.db.system, ref, await commentWarning(ctx, loaded, opened, { text: firstComment, postId }))
  return []
}

async function commentWarning(
  ctx: Context,
  { channel }: LoadedChannel,
  opened: ReturnType<typeof openChannel>,
  comment: { text: string; postId: string },
): Promise<string | null> {
  const { connector, client, draft } = opened
  try {
    const reply = {
      ...draft,
      format: 'text' as const,
      text: comment.text,
      title: null,
      linkUrl: null,
      media: [],
      replyTo: { postId: comment.postId },
    }
    const staged = connector.stage && connector.needsStage(reply) ? await connector.stage(client, reply) : null
    await sendAsComment({ ...opened, staged }, comment)
    return null
  } catch (error) {
    ctx.log.warn({ err: error, channel: channel.id }, 'the first comment was not posted')
    return `The first comment was not posted: ${error instanceof PlatformError ? error.message : 'something went wrong on our side.'}`
  }
}
