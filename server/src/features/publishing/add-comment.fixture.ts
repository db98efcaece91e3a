import type { ChannelState } from '@carillon/core'
import type { Db } from '../../infra/db/db.ts'

type Comment = { postId: string; slug: string; state: ChannelState; dueAt?: Date }

/** Gives a published channel a first comment in this state, as the publishing engine would have left it. */
export async function addComment(system: Db, { postId, slug, state, dueAt = new Date() }: Comment): Promise<void> {
  const { id, platform_post_id, ...channel } = await system
    .selectFrom('channel')
    .where('post_id', '=', postId)
    .where('connection_slug', '=', slug)
    .select([
      'id',
      'platform_post_id',
      'workspace_id',
      'post_id',
      'position',
      'connection_id',
      'connection_slug',
      'target_name',
      'platform',
    ])
    .executeTakeFirstOrThrow()
  const isFinal = state === 'published' || state === 'failed' || state === 'unconfirmed'
  await system
    .insertInto('part')
    .values({
      ...channel,
      id: [...id].toReversed().join(''),
      state,
      due_at: dueAt,
      dispatch_at: dueAt,
      needs_stage: false,
      warnings: '[]',
      finished_at: isFinal ? dueAt : null,
      tries: 3,
      number: 1,
      parts: 2,
      channel_id: id,
      reply_to: platform_post_id ?? 'the-post',
    })
    .execute()
}
