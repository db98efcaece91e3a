import type { Insertable, Selectable } from 'kysely'
import { isClosing } from '../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { OauthCodeTable, OauthGrantTable, OauthTokenTable } from '../../infra/db/tables.ts'
import { type Membership, membershipOf } from '../../infra/http/principal.ts'

export type CodeRow = Selectable<OauthCodeTable>
export type GrantRow = Selectable<OauthGrantTable>
export type GrantRef = { workspaceId: string; grantId: string }

export async function insertGrant(tx: Tx, row: Insertable<OauthGrantTable>): Promise<void> {
  await tx.insertInto('oauth_grant').values(row).execute()
}

export async function insertCode(tx: Tx, row: Insertable<OauthCodeTable>): Promise<void> {
  await tx.insertInto('oauth_code').values(row).execute()
}

/** Not limited to a workspace: a program presents the code and nothing else. Locked, so that two requests do not both take it. */
export async function lockCode(system: Tx, hash: Buffer): Promise<CodeRow | undefined> {
  return system.selectFrom('oauth_code').where('hash', '=', hash).selectAll().forUpdate().executeTakeFirst()
}

export async function markCodeUsed(system: Tx, hash: Buffer, at: Date): Promise<void> {
  await system.updateTable('oauth_code').where('hash', '=', hash).set({ used_at: at }).execute()
}

/**
 * Not limited to a workspace. Every new token and the end of a grant take this lock, so that no token is issued after the end.
 * Undefined: the grant has ended.
 */
export async function lockLiveGrant(system: Tx, { workspaceId, grantId }: GrantRef): Promise<GrantRow | undefined> {
  return system
    .selectFrom('oauth_grant')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', grantId)
    .where('ended_at', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** Whose grant it is. False: it has ended, or is not of this person. */
export async function endGrant(tx: Tx, { workspaceId, grantId }: GrantRef, end: { at: Date; personId: string | null }) {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_grant')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', grantId)
    .where('ended_at', 'is', null)
    .$if(end.personId !== null, (query) => query.where('person_id', '=', end.personId ?? ''))
    .set({ ended_at: end.at })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx.deleteFrom('oauth_token').where('workspace_id', '=', workspaceId).where('grant_id', '=', grantId).execute()
  return true
}

export async function insertTokens(system: Tx, rows: Insertable<OauthTokenTable>[]): Promise<void> {
  await system.insertInto('oauth_token').values(rows).execute()
}

/** Not limited to a workspace. */
export async function findToken(system: Db | Tx, hash: Buffer): Promise<Selectable<OauthTokenTable> | undefined> {
  return system.selectFrom('oauth_token').where('hash', '=', hash).selectAll().executeTakeFirst()
}

export async function markReplaced(system: Tx, hash: Buffer, at: Date): Promise<void> {
  await system
    .updateTable('oauth_token')
    .where('hash', '=', hash)
    .where('replaced_at', 'is', null)
    .set({ replaced_at: at })
    .execute()
}

export async function deleteToken(system: Tx, hash: Buffer): Promise<void> {
  await system.deleteFrom('oauth_token').where('hash', '=', hash).execute()
}

export type HolderRow = {
  grantId: string
  personId: string
  grantWorkspaceId: string
  scopes: string[]
  resource: string
  expiresAt: Date
  membership: Membership | null
}

/** Not limited to a workspace: the caller's workspace is known only after the token was found. One statement for each request. */
export async function findHolderRow(
  system: Db,
  hash: Buffer,
  { workspaceId, now }: { workspaceId: string | null; now: Date },
): Promise<HolderRow | undefined> {
  const row = await system
    .selectFrom('oauth_token')
    .innerJoin('oauth_grant', (join) =>
      join
        .onRef('oauth_grant.workspace_id', '=', 'oauth_token.workspace_id')
        .onRef('oauth_grant.id', '=', 'oauth_token.grant_id')
        .on('oauth_grant.ended_at', 'is', null),
    )
    // The person may have left since, and the rows of the token may be about to go.
    .innerJoin('member as own', (join) =>
      join.onRef('own.workspace_id', '=', 'oauth_grant.workspace_id').onRef('own.person_id', '=', 'oauth_grant.person_id'),
    )
    .leftJoin('member', (join) =>
      join.onRef('member.person_id', '=', 'oauth_grant.person_id').on('member.workspace_id', '=', workspaceId ?? ''),
    )
    .leftJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'member.workspace_id').on(({ not }) => not(isClosing('member.workspace_id'))),
    )
    .where('oauth_token.hash', '=', hash)
    .where('oauth_token.kind', '=', 'access')
    .where('oauth_token.expires_at', '>', now)
    .select([
      'oauth_grant.id',
      'oauth_grant.person_id',
      'oauth_grant.workspace_id',
      'oauth_grant.scopes',
      'oauth_grant.resource',
      'oauth_token.expires_at',
      'member.role',
      'workspace.plan',
      'workspace.approval',
      'workspace.agents_need_approval',
    ])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    grantId: row.id,
    personId: row.person_id,
    grantWorkspaceId: row.workspace_id,
    scopes: row.scopes,
    resource: row.resource,
    expiresAt: row.expires_at,
    membership: membershipOf(row),
  }
}

/** Undefined: its access has ended, or it is not of this person in this workspace. */
export async function findGrantScopes(
  tx: Tx,
  { workspaceId, grantId, personId }: GrantRef & { personId: string },
): Promise<readonly string[] | undefined> {
  const row = await tx
    .selectFrom('oauth_grant')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', grantId)
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .select('scopes')
    .executeTakeFirst()
  return row?.scopes
}

/** Does nothing if the stored time is recent. */
export async function touchGrant(
  system: Db,
  { workspaceId, grantId }: GrantRef,
  { at, notSince }: { at: Date; notSince: Date },
): Promise<void> {
  await system
    .updateTable('oauth_grant')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', grantId)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', notSince)]))
    .set({ last_used_at: at })
    .execute()
}

export type ListedGrant = GrantRow & { name: string | null; email: string | null; until: Date | null }

/** The grants that a program can still use, newest first: of one person, or of all. */
export async function listLiveGrants(
  tx: Tx,
  workspaceId: string,
  { personId, now }: { personId: string | null; now: Date },
): Promise<ListedGrant[]> {
  return tx
    .selectFrom('oauth_grant')
    .innerJoin('oauth_token', (join) =>
      join
        .onRef('oauth_token.workspace_id', '=', 'oauth_grant.workspace_id')
        .onRef('oauth_token.grant_id', '=', 'oauth_grant.id')
        .on('oauth_token.kind', '=', 'refresh')
        .on('oauth_token.replaced_at', 'is', null)
        .on('oauth_token.expires_at', '>', now),
    )
    .leftJoin('person', 'person.id', 'oauth_grant.person_id')
    .where('oauth_grant.workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .$if(personId !== null, (query) => query.where('oauth_grant.person_id', '=', personId ?? ''))
    .selectAll('oauth_grant')
    .select(['person.name', 'person.email', ({ fn }) => fn.max('oauth_token.expires_at').as('until')])
    .groupBy(['oauth_grant.workspace_id', 'oauth_grant.id', 'person.name', 'person.email'])
    .orderBy('oauth_grant.id', 'desc')
    .limit(500)
    .execute()
}

export async function deleteExpired(system: Db, now: Date): Promise<void> {
  await system.deleteFrom('oauth_code').where('expires_at', '<', now).execute()
  await system.deleteFrom('oauth_token').where('expires_at', '<', now).execute()
}
