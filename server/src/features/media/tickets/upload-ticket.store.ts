import type { Insertable, Selectable } from 'kysely'
import { isClosing } from '../../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { UploadTicketTable } from '../../../infra/db/tables.ts'
import type { MediaKey } from '../media.store.ts'

export type TicketRow = Selectable<UploadTicketTable>

export async function insertTicket(tx: Tx, row: Insertable<UploadTicketTable>): Promise<void> {
  await tx.insertInto('upload_ticket').values(row).execute()
}

export async function findTicket(tx: Tx, { workspaceId, id }: MediaKey): Promise<TicketRow | undefined> {
  return tx
    .selectFrom('upload_ticket')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst()
}

export async function countOpenTickets(tx: Tx, workspaceId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('upload_ticket')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whoever sends a file says nothing but the secret, so all workspaces are searched. */
export async function findTicketBySecret(system: Db, id: string, tokenHash: Buffer): Promise<TicketRow | undefined> {
  return system
    .selectFrom('upload_ticket')
    .where('token_hash', '=', tokenHash)
    .where('id', '=', id)
    .where(({ not }) => not(isClosing('upload_ticket.workspace_id')))
    .selectAll()
    .executeTakeFirst()
}

type Claim = MediaKey & { now: Date; until: Date }

/** Returns true for one of several callers: it alone may receive a file until then. */
export async function claimTicket(tx: Tx, { workspaceId, id, now, until }: Claim): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('upload_ticket')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
    .set({ claimed_until: until })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same file, or another one, can be sent again. */
export async function releaseTicket(tx: Tx, { workspaceId, id }: MediaKey): Promise<void> {
  await tx
    .updateTable('upload_ticket')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .set({ claimed_until: null })
    .execute()
}

/** Returns true for the one file that a ticket gets, in the transaction that adds it to the library. */
export async function useTicket(tx: Tx, { workspaceId, id }: MediaKey, use: { mediaId: string; at: Date }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('upload_ticket')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .set({ used_at: use.at, media_id: use.mediaId, claimed_until: null })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Across workspaces: the sweep calls it. */
export async function deleteOldTickets(system: Db, before: Date): Promise<void> {
  await system.deleteFrom('upload_ticket').where('expires_at', '<', before).execute()
}
