import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../../infra/db/db.ts'
import type { ApprovalLinkTable } from '../../../../infra/db/tables.ts'

export type LinkRow = Omit<Selectable<ApprovalLinkTable>, 'token_hash'>
export type LinkPost = { postId: string; revision: string }
type LinkKey = { workspaceId: string; id: string }

const columns = [
  'workspace_id',
  'id',
  'name',
  'email',
  'mailed',
  'of_submission',
  'person_id',
  'api_key_id',
  'created_at',
  'expires_at',
  'revoked_at',
] as const

export async function insertLink(tx: Tx, row: Insertable<ApprovalLinkTable>, posts: readonly LinkPost[]): Promise<void> {
  await tx.insertInto('approval_link').values(row).execute()
  const rows = posts.map(({ postId, revision }, position) => ({
    workspace_id: row.workspace_id,
    link_id: row.id,
    post_id: postId,
    revision,
    position,
  }))
  await tx.insertInto('approval_link_post').values(rows).execute()
}

/** Whoever opens a link says nothing but the secret, so all workspaces are searched. */
export async function findLinkBySecret(system: Db, tokenHash: Buffer): Promise<LinkRow | undefined> {
  return system.selectFrom('approval_link').where('token_hash', '=', tokenHash).select(columns).executeTakeFirst()
}

/** Locked against being revoked until the transaction ends. */
export async function lockLink(tx: Tx, { workspaceId, id }: LinkKey): Promise<LinkRow | undefined> {
  return tx
    .selectFrom('approval_link')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .forShare()
    .executeTakeFirst()
}

export async function listLinkPosts(tx: Tx, { workspaceId, id }: LinkKey): Promise<LinkPost[]> {
  return tx
    .selectFrom('approval_link_post')
    .where('workspace_id', '=', workspaceId)
    .where('link_id', '=', id)
    .select(['post_id as postId', 'revision'])
    .orderBy('position')
    .execute()
}

const listMax = 100

/** The newest links, with their posts. */
export async function listLinks(
  tx: Tx,
  { workspaceId, postId }: { workspaceId: string; postId: string | undefined },
): Promise<{ row: LinkRow; posts: LinkPost[] }[]> {
  let query = tx.selectFrom('approval_link').where('workspace_id', '=', workspaceId)
  if (postId !== undefined) {
    const ofPost = tx
      .selectFrom('approval_link_post')
      .where('workspace_id', '=', workspaceId)
      .where('post_id', '=', postId)
      .select('link_id')
    query = query.where('id', 'in', ofPost)
  }
  const rows = await query.select(columns).orderBy('id', 'desc').limit(listMax).execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const posts = await tx
    .selectFrom('approval_link_post')
    .where('workspace_id', '=', workspaceId)
    .where('link_id', 'in', ids)
    .select(['link_id', 'post_id as postId', 'revision'])
    .orderBy('position')
    .execute()
  const byLink = Map.groupBy(posts, ({ link_id }) => link_id)
  return rows.map((row) => ({
    row,
    posts: (byLink.get(row.id) ?? []).map(({ postId: id, revision }) => ({ postId: id, revision })),
  }))
}

export async function countLiveLinks(tx: Tx, workspaceId: string, now: Date): Promise<number> {
  const { links } = await tx
    .selectFrom('approval_link')
    .where('workspace_id', '=', workspaceId)
    // Those are as many as there are posts that wait.
    .where('of_submission', '=', false)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select(sql<number>`count(*)::int`.as('links'))
    .executeTakeFirstOrThrow()
  return links
}

/** False if there is no such link. A link that was revoked before keeps its time. */
export async function revokeLink(tx: Tx, { workspaceId, id }: LinkKey, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('approval_link')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(at)) }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the links that came with earlier submissions of a post. */
export async function revokeSubmissionLinks(
  tx: Tx,
  { workspaceId, postId }: { workspaceId: string; postId: string },
  at: Date,
): Promise<void> {
  const ofPost = tx
    .selectFrom('approval_link_post')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', postId)
    .select('link_id')
  await tx
    .updateTable('approval_link')
    .where('workspace_id', '=', workspaceId)
    .where('of_submission', '=', true)
    .where('revoked_at', 'is', null)
    .where('id', 'in', ofPost)
    .set({ revoked_at: at })
    .execute()
}

/** In all workspaces: for an address that is erased. */
export async function forgetLinkAddress(system: Tx, email: string): Promise<void> {
  await system
    .updateTable('approval_link')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .set({ email: null, name: null })
    .execute()
}
