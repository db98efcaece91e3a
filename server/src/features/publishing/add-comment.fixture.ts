import type { ChannelState } from '@carillon/core'
import { sql } from 'kysely'
import type { Db } from '../../infra/db/db.ts'

type Comment = { postId: string; slug: string; state: ChannelState; dueAt?: Date }

/** Gives a published channel a first comment in this state, as the publishing engine would have left it. */
export async function addComment(system: Db, { postId, slug, state, dueAt = new Date() }: Comment): Promise<void> {
  const isFinal = state === 'published' || state === 'failed' || state === 'unconfirmed'
  await sql`
    insert into part (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at,
      needs_stage, warnings, finished_at, tries, number, parts, channel_id, reply_to)
    select workspace_id, substr(md5(id), 1, 24), post_id, position, connection_id, connection_slug, target_name, platform, ${state}, ${dueAt},
      ${dueAt}, false, '[]', ${isFinal ? dueAt : null}, 3, 1, 2, id, coalesce(platform_post_id, 'the-post')
    from channel
    where post_id = ${postId} and connection_slug = ${slug}`.execute(system)
}
