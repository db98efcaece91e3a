import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { scheduledOrCreated } from '../reading/post-list.store.ts'

/** A channel of another post, with the texts that its post has for it. */
export type RecentText = { postId: string; slug: string; text: string | null; ownText: string | null }

type RecentFilter = {
  workspaceId: string
  slugs: readonly string[]
  /** The post that is released itself. */
  exceptId: string
  /** The lowest id of a post that is new enough. */
  fromId: string
  /** Posts whose time is between these count too. */
  dueFrom: Date
  dueTo: Date
}

/** How many posts are looked at, the newest first: a bound for what one request costs in a busy workspace. */
const postsMax = 500

/**
 * The texts of other posts on these accounts: of posts that were created lately, by primary key, and of posts that are due at about the same
 * time, by the index `post_day`. A text is cut because more of it is not compared.
 */
export async function listRecentTexts(tx: Tx, filter: RecentFilter): Promise<RecentText[]> {
  const { workspaceId, slugs, exceptId, fromId, dueFrom, dueTo } = filter
  const isOnAccount = sql`exists (
      select 1
      from part c
      where c.workspace_id = post.workspace_id
        and c.post_id = post.id
        and c.number = 0
        and c.connection_slug = any(${slugs})
    )`
  const { rows } = await sql<RecentText>`
    with created as (
      select post.id
      from post
      where post.workspace_id = ${workspaceId}
        and post.id >= ${fromId}
        and post.id <> ${exceptId}
        and ${isOnAccount}
      order by post.id desc
      limit ${postsMax}
    ), due as (
      select post.id
      from post
      where post.workspace_id = ${workspaceId}
        and ${scheduledOrCreated} >= ${dueFrom}
        and ${scheduledOrCreated} <= ${dueTo}
        and post.id <> ${exceptId}
        and ${isOnAccount}
      order by ${scheduledOrCreated} desc
      limit ${postsMax}
    )
    select post.id as "postId", c.connection_slug as slug, left(post.text, 2000) as text,
      left(post.platform_options -> c.connection_slug ->> 'text', 2000) as "ownText"
    from (
      select id from created
      union
      select id from due
    ) as found
    join post on post.workspace_id = ${workspaceId} and post.id = found.id
    join part c on c.workspace_id = post.workspace_id and c.post_id = post.id and c.number = 0
    where c.connection_slug = any(${slugs})
    order by post.id desc`.execute(tx)
  return rows
}
