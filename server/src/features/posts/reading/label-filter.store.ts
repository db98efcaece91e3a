import { sql, type RawBuilder } from 'kysely'

/** A condition: the post with this workspace and id has one of these labels. */
export function hasLabel(
  labels: readonly string[],
  workspaceId: RawBuilder<unknown>,
  postId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const [first] = labels
  // With one label the key proves that each post is found once, so PostgreSQL can read the posts of the label in their order.
  const isOne = labels.length === 1 ? sql`l.label_id = ${first}` : sql`l.label_id = any(${labels})`
  return sql<boolean>`exists (
    select
    from post_label l
    where l.workspace_id = ${workspaceId} and l.post_id = ${postId} and ${isOne}
  )`
}
