import type { Role } from '@carillon/contract'
import type { Db, Tx } from '../../infra/db/db.ts'

export type MemberRow = { userId: string; email: string; name: string; role: Role; joinedAt: Date }

function members(db: Db | Tx, workspaceId: string) {
  return db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .where('member.workspace_id', '=', workspaceId)
    .select(['person.id as userId', 'person.email', 'person.name', 'member.role', 'member.joined_at as joinedAt'])
}

export async function listMembers(tx: Tx, workspaceId: string): Promise<MemberRow[]> {
  return members(tx, workspaceId).orderBy('member.joined_at').orderBy('member.person_id').execute()
}

export async function findMember(db: Db | Tx, workspaceId: string, personId: string): Promise<MemberRow | undefined> {
  return members(db, workspaceId).where('member.person_id', '=', personId).executeTakeFirst()
}

/** Locks all owners until the transaction ends, so that two concurrent requests cannot remove the last two owners. */
export async function lockOwners(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('member')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .select('person_id')
    .orderBy('person_id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.person_id)
}

/** A person who is already a member keeps their role. */
export async function insertMember(
  db: Db | Tx,
  { workspaceId, personId, role, joinedAt }: { workspaceId: string; personId: string; role: Role; joinedAt: Date },
): Promise<void> {
  await db
    .insertInto('member')
    .values({ workspace_id: workspaceId, person_id: personId, role, joined_at: joinedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateRole(tx: Tx, workspaceId: string, personId: string, role: Role): Promise<void> {
  await tx.updateTable('member').where('workspace_id', '=', workspaceId).where('person_id', '=', personId).set({ role }).execute()
}

export async function updateShutOut(
  tx: Tx,
  { workspaceId, personId, isShutOut }: { workspaceId: string; personId: string; isShutOut: boolean },
): Promise<void> {
  await tx
    .updateTable('member')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .set({ account_webhooks_shut_out: isShutOut })
    .execute()
}

export async function deleteMember(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.deleteFrom('member').where('workspace_id', '=', workspaceId).where('person_id', '=', personId).execute()
}

/** Not limited to a workspace. */
export async function countOwnedWorkspaces(system: Db | Tx, personId: string): Promise<number> {
  const { owned } = await system
    .selectFrom('member')
    .where('person_id', '=', personId)
    .where('role', '=', 'owner')
    .select(({ fn }) => fn.countAll<string>().as('owned'))
    .executeTakeFirstOrThrow()
  return Number(owned)
}
