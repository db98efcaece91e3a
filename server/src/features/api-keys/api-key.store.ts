import type { PostingLimits } from '@carillon/contract'
import { sql, type Insertable, type Selectable } from 'kysely'
import { isClosing } from '../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { ApiKeyTable } from '../../infra/db/tables.ts'
import { type KeyLimits, type Membership, membershipOf } from '../../infra/http/principal.ts'

export type KeyRow = {
  apiKeyId: string
  personId: string
  keyWorkspaceId: string
  workspaceOnly: boolean
  scopes: string[] | null
  expiresAt: Date | null
  posting: PostingLimits | null
  isAgent: boolean
  membership: Membership | null
}

/** Not limited to a workspace: the caller's workspaces are known only after the key was found. */
export function findKeyRow(system: Db, hash: Buffer, workspaceId: string | null): Promise<KeyRow | undefined> {
  return readKeyRow(system, { hash }, workspaceId)
}

/** The key with this id as a caller in the workspace. */
export function findKeyRowById(system: Db, id: string, workspaceId: string): Promise<KeyRow | undefined> {
  return readKeyRow(system, { id }, workspaceId)
}

async function readKeyRow(
  system: Db,
  by: { hash: Buffer } | { id: string },
  workspaceId: string | null,
): Promise<KeyRow | undefined> {
  const row = await system
    .selectFrom('api_key')
    .leftJoin('member', (join) =>
      join.onRef('member.person_id', '=', 'api_key.person_id').on('member.workspace_id', '=', workspaceId ?? ''),
    )
    .leftJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'member.workspace_id').on(({ not }) => not(isClosing('member.workspace_id'))),
    )
    .where(({ eb }) => ('hash' in by ? eb('api_key.hash', '=', by.hash) : eb('api_key.id', '=', by.id)))
    .select([
      'api_key.id',
      'api_key.person_id',
      'api_key.workspace_id',
      'workspace_only',
      'scopes',
      'expires_at',
      'api_key.limits',
      'member.role',
      'workspace.plan',
      'workspace.approval',
      'workspace.agents_need_approval',
      'api_key.agent',
    ])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    apiKeyId: row.id,
    personId: row.person_id,
    keyWorkspaceId: row.workspace_id,
    workspaceOnly: row.workspace_only,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    posting: row.limits,
    isAgent: row.agent,
    membership: membershipOf(row),
  }
}

/** Not limited to a workspace: a key works in every workspace of its person. */
export async function findKeyRights(
  system: Db,
  id: string,
): Promise<{ scopes: string[] | null; expires_at: Date | null } | undefined> {
  return system.selectFrom('api_key').where('id', '=', id).select(['scopes', 'expires_at']).executeTakeFirst()
}

/** What narrows a key, for what it left behind: a link is worth no more than the key that made it. */
export async function findKeyLimits(
  system: Db,
  { workspaceId, personId, id }: KeyRef & { personId: string },
): Promise<KeyLimits | undefined> {
  // A key of another workspace of the same person may have made it, unless it is held to its own.
  const row = await system
    .selectFrom('api_key')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .where(({ or, eb }) => or([eb('workspace_only', '=', false), eb('workspace_id', '=', workspaceId)]))
    .select(['scopes', 'workspace_only', 'expires_at', 'limits', 'agent'])
    .executeTakeFirst()
  if (!row) return undefined
  const { scopes, workspace_only: workspaceOnly, expires_at: expiresAt, limits: posting, agent: isAgent } = row
  return { scopes, workspaceOnly, expiresAt, posting, isAgent }
}

export async function insertApiKey(tx: Tx, row: Insertable<ApiKeyTable>): Promise<void> {
  await tx.insertInto('api_key').values(row).execute()
}

export type ListedKey = Omit<Selectable<ApiKeyTable>, 'hash' | 'released_on' | 'released_posts'> & {
  name: string | null
  email: string | null
}

export async function listApiKeys(tx: Tx, workspaceId: string): Promise<ListedKey[]> {
  return tx
    .selectFrom('api_key')
    .leftJoin('person', 'person.id', 'api_key.person_id')
    .where('workspace_id', '=', workspaceId)
    .select(['workspace_id', 'api_key.id', 'person_id', 'label', 'prefix', 'scopes', 'workspace_only', 'expires_at', 'limits'])
    .select([
      'api_key.created_at',
      'last_used_at',
      'workspaces_max',
      'workspaces_created',
      'agent',
      'person.name',
      'person.email',
    ])
    .orderBy('api_key.id')
    .execute()
}

/** Across workspaces: the key is known before its workspace. Does nothing if the stored time is recent. */
export async function touchApiKey(system: Db, { hash, at, notSince }: { hash: Buffer; at: Date; notSince: Date }): Promise<void> {
  await system
    .updateTable('api_key')
    .where('hash', '=', hash)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', notSince)]))
    .set({ last_used_at: at })
    .execute()
}

export async function deleteApiKey(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('api_key')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteApiKeysOf(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.deleteFrom('api_key').where('workspace_id', '=', workspaceId).where('person_id', '=', personId).execute()
}

/** Which of these slugs are accounts of the workspace. */
export async function listKnownSlugs(tx: Tx, workspaceId: string, slugs: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('slug', 'in', slugs)
    .where('status', '<>', 'disconnected')
    .select('slug')
    .execute()
  return rows.map(({ slug }) => slug)
}

type KeyRef = { workspaceId: string; id: string }

/**
 * Counts a workspace that the key creates. Null: the number of the key is used up, or the key is gone, and nothing is counted. One statement reads and
 * writes, so that two requests cannot both take the last one.
 */
export async function countCreatedWorkspace(system: Db | Tx, { workspaceId, id }: KeyRef): Promise<number | null> {
  const row = await system
    .updateTable('api_key')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('workspaces_max', 'is', null), eb('workspaces_created', '<', eb.ref('workspaces_max'))]))
    .set(({ eb }) => ({ workspaces_created: eb('workspaces_created', '+', 1) }))
    .returning('workspaces_created')
    .executeTakeFirst()
  return row?.workspaces_created ?? null
}

/** Until the transaction ends, requests with this key wait for each other. False: the key is gone. */
export async function lockKey(tx: Tx, { workspaceId, id }: KeyRef): Promise<boolean> {
  const row = await tx
    .selectFrom('api_key')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** The posts that the key released on this day. */
export async function listReleasedPosts(tx: Tx, { workspaceId, id }: KeyRef, day: string): Promise<readonly string[]> {
  const row = await tx
    .selectFrom('api_key')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('released_on', '=', day)
    .select('released_posts')
    .executeTakeFirst()
  return row?.released_posts ?? []
}

/**
 * Notes that the key releases a post on this day. A post counts once a day. False: the posts of the day are used up, and nothing is noted.
 * One statement reads and writes the count, so that two requests cannot both take the last post.
 */
export async function noteRelease(
  tx: Tx,
  { workspaceId, id }: KeyRef,
  { postId, day, max }: { postId: string; day: string; max: number },
): Promise<boolean> {
  const { rows } = await sql`
    update api_key
    set released_on = ${day},
      released_posts = case
        when released_on is distinct from ${day} then array[${postId}]
        when ${postId} = any(released_posts) then released_posts
        else released_posts || ${postId}::text
      end
    where workspace_id = ${workspaceId}
      and id = ${id}
      and (released_on is distinct from ${day} or ${postId} = any(released_posts) or cardinality(released_posts) < ${max})
    returning id`.execute(tx)
  return rows.length > 0
}
