import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { containsText, likePattern } from '../../../infra/db/contains-text.ts'

/** A search finds the newest posts up to this many. */
const foundMax = 10_000

/** The posts that may contain a text. `isCut`: there are more than these. */
export type SearchMatches = { ids: string[]; isCut: boolean }

/**
 * Finds posts by the index of words. Posts that are not in the index yet are among the result whatever they contain; workers add them to the
 * index within seconds. So the result needs `containsWords` too.
 */
export async function searchPosts(tx: Tx, workspaceId: string, search: string): Promise<SearchMatches> {
  const { rows } = await sql<{ id: string }>`
    select search_posts(fold_case(${likePattern(search)}), ${foundMax + 1}::int) as id
    union all
    (
      select post_id
      from post_unsearched
      where workspace_id = ${workspaceId}
      limit ${foundMax + 1}
    )`.execute(tx)
  return { ids: rows.slice(0, foundMax).map(({ id }) => id), isCut: rows.length > foundMax }
}

/** A condition on `post`: its text or title contains this text. */
export function containsWords(search: string): RawBuilder<boolean> {
  return sql<boolean>`(${containsText('post.text', search)} or ${containsText('post.title', search)})`
}
