import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

// A person belongs to no single workspace, so everything here is read and deleted across workspaces.

export type OwnedWorkspace = { id: string; name: string }

/** Locks the person, so that they cannot join another workspace meanwhile, and returns their address. */
export async function lockPerson(tx: Tx, personId: string): Promise<{ email: string; name: string } | undefined> {
  return tx.selectFrom('person').where('id', '=', personId).select(['email', 'name']).forUpdate().executeTakeFirst()
}

/** Locks the owners of the person's workspaces and returns the workspaces that have no other owner. */
export async function findOwnedAlone(tx: Tx, personId: string): Promise<OwnedWorkspace[]> {
  await sql`
    select from member
    where role = 'owner'
      and workspace_id in (select workspace_id from member where person_id = ${personId} and role = 'owner')
    order by workspace_id, person_id for update`.execute(tx)
  const { rows } = await sql<OwnedWorkspace>`
    select w.id, w.name from workspace w
    join member m on m.workspace_id = w.id and m.person_id = ${personId} and m.role = 'owner'
    where not exists (
      select from member o where o.workspace_id = w.id and o.role = 'owner' and o.person_id <> ${personId})
    order by w.name`.execute(tx)
  return rows
}

export async function listWorkspaceIds(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('member')
    .where('person_id', '=', personId)
    .select('workspace_id')
    .orderBy('workspace_id')
    .execute()
  return rows.map((row) => row.workspace_id)
}

/**
 * Deletes every row that is about the person or contains their address. Entries in the audit logs of workspaces stay: they have the id of the
 * person, which then refers to nothing.
 */
export async function deletePerson(tx: Tx, { personId, email }: { personId: string; email: string }): Promise<void> {
  await tx.deleteFrom('api_key').where('person_id', '=', personId).execute()
  await tx.deleteFrom('connect_flow').where('person_id', '=', personId).execute()
  await tx.deleteFrom('connect_link').where('person_id', '=', personId).execute()
  // Invitations that they made end, and those to them contain their address.
  await tx
    .deleteFrom('invitation')
    .where((where) =>
      where.or([
        where.and([where('invited_by', '=', personId), where('accepted_at', 'is', null)]),
        where(sql<string>`lower(email)`, '=', email.toLowerCase()),
      ]),
    )
    .execute()
  await tx.deleteFrom('member').where('person_id', '=', personId).execute()
  await tx
    .deleteFrom('verification')
    .where(sql<boolean>`position(${personId} in value) > 0 or position(${email} in value) > 0`)
    .execute()
  // Sessions, passwords, passkeys and second factors go with the person.
  await tx.deleteFrom('person').where('id', '=', personId).execute()
}
