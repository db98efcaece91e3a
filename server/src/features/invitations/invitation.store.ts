import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { InvitationTable } from '../../infra/db/tables.ts'

export type InvitationRow = Selectable<InvitationTable>
type Key = { workspaceId: string; id: string }

export async function listInvitations(tx: Tx, workspaceId: string): Promise<InvitationRow[]> {
  return tx.selectFrom('invitation').where('workspace_id', '=', workspaceId).selectAll().orderBy('id').execute()
}

/** Expired invitations must be deleted before a new one, because only one open invitation per address is allowed. */
export async function deleteExpired(tx: Tx, workspaceId: string, email: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('invitation')
    .where('workspace_id', '=', workspaceId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute()
}

/** False when the person has an open invitation already. */
export async function insertInvitation(tx: Tx, row: Insertable<InvitationTable>): Promise<boolean> {
  const made = await tx
    .insertInto('invitation')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export async function deleteInvitation(tx: Tx, { workspaceId, id }: Key): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitation')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function updateMail(tx: Tx, { workspaceId, id }: Key, mail: InvitationRow['mail']): Promise<void> {
  await tx.updateTable('invitation').where('workspace_id', '=', workspaceId).where('id', '=', id).set({ mail }).execute()
}

/** Not limited to a workspace: a person with a token may not be a member yet. With `lock`, a second acceptance waits for the first. */
export async function findByToken(system: Db | Tx, tokenHash: Buffer, lock = false): Promise<InvitationRow | undefined> {
  const query = system.selectFrom('invitation').where('token_hash', '=', tokenHash).selectAll()
  return (lock ? query.forUpdate() : query).executeTakeFirst()
}

export async function markAccepted(system: Tx, { workspaceId, id }: Key, at: Date): Promise<void> {
  await system
    .updateTable('invitation')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ accepted_at: at })
    .execute()
}
