import { sql } from 'kysely'
import { isClosing } from '../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { type Membership, membershipOf } from '../../infra/http/principal.ts'

export type SessionHolder = { personId: string; membership: Membership | null }

/** Not limited to a workspace: the caller's workspaces are known only after the session was found. */
export async function findSession(
  system: Db,
  { token, workspaceId, now }: { token: string; workspaceId: string | null; now: Date },
): Promise<SessionHolder | undefined> {
  const row = await system
    .selectFrom('session')
    .leftJoin('member', (join) =>
      join.onRef('member.person_id', '=', 'session.person_id').on('member.workspace_id', '=', workspaceId ?? ''),
    )
    .leftJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'member.workspace_id').on(({ not }) => not(isClosing('member.workspace_id'))),
    )
    .where('session.token', '=', token)
    .where('session.expires_at', '>', now)
    .select(['session.person_id', 'member.role', 'workspace.plan', 'workspace.approval', 'workspace.agents_need_approval'])
    .executeTakeFirst()
  return row && { personId: row.person_id, membership: membershipOf(row) }
}

type Confirmation = { passwordHash: string | null; sessionCreatedAt: Date }

/** What the person of a session can confirm with that it is them: their password, or else the age of the session. */
export async function findConfirmation(system: Db, personId: string, token: string): Promise<Confirmation | undefined> {
  const row = await system
    .selectFrom('session')
    .leftJoin('account', (join) =>
      join.onRef('account.person_id', '=', 'session.person_id').on('account.provider_id', '=', 'credential'),
    )
    .where('session.token', '=', token)
    .where('session.person_id', '=', personId)
    .select(['account.password', 'session.created_at'])
    .executeTakeFirst()
  return row && { passwordHash: row.password, sessionCreatedAt: row.created_at }
}

/** Signs a person out everywhere, except in one session. */
export async function deleteSessions(tx: Tx, personId: string, { except }: { except: string | null }): Promise<void> {
  await tx
    .deleteFrom('session')
    .where('person_id', '=', personId)
    .$if(except !== null, (query) => query.where('token', '<>', except ?? ''))
    .execute()
}

type SessionUse = { token: string; workspaceId: string }

/** Those of the given sessions that have not ended and whose person is a member of the workspace. */
export async function findValidSessions(system: Db, uses: readonly SessionUse[], now: Date): Promise<SessionUse[]> {
  if (uses.length === 0) return []
  const { rows } = await sql<SessionUse>`
    select distinct t.token, t.workspace_id as "workspaceId"
    from unnest(${uses.map(({ token }) => token)}::text[], ${uses.map(({ workspaceId }) => workspaceId)}::text[])
      as t (token, workspace_id)
    join session s on s.token = t.token and s.expires_at > ${now}
    join member m on m.workspace_id = t.workspace_id and m.person_id = s.person_id`.execute(system)
  return rows
}

/** Whether any person of this install can sign in. Not limited to a workspace: people belong to none. */
export async function canAnyoneSignIn(system: Db | Tx): Promise<boolean> {
  const row = await system
    .selectNoFrom((from) =>
      from
        .or([
          from.exists(from.selectFrom('account').select('person_id')),
          from.exists(from.selectFrom('passkey').select('person_id')),
        ])
        .as('can_sign_in'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(row.can_sign_in)
}

/** Whether this person can sign in. */
export async function canSignIn(system: Db | Tx, personId: string): Promise<boolean> {
  const row = await system
    .selectNoFrom((from) =>
      from
        .or([
          from.exists(from.selectFrom('account').where('person_id', '=', personId).select('person_id')),
          from.exists(from.selectFrom('passkey').where('person_id', '=', personId).select('person_id')),
        ])
        .as('can_sign_in'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(row.can_sign_in)
}

/** The first run is decided by one transaction at a time. The number is only a name for the lock. */
export async function lockFirstRun(system: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7230011)`.execute(system)
}

type NewPassword = { id: string; personId: string; hash: string; at: Date }

/** Gives a person a password, in the form in which better-auth reads it. */
export async function insertPassword(system: Tx, { id, personId, hash, at }: NewPassword): Promise<void> {
  await system
    .insertInto('account')
    .values({
      id,
      person_id: personId,
      provider_id: 'credential',
      account_id: personId,
      password: hash,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

export async function renamePerson(system: Tx, personId: string, name: string): Promise<void> {
  await system.updateTable('person').where('id', '=', personId).set({ name }).execute()
}
