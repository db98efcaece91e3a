import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { CalendarFeedTable } from '../../infra/db/tables.ts'

type FeedKey = { workspaceId: string; personId: string }
export type FeedRow = Pick<Selectable<CalendarFeedTable>, 'texts' | 'created_at'>

export async function findFeed(tx: Tx, { workspaceId, personId }: FeedKey): Promise<FeedRow | undefined> {
  return tx
    .selectFrom('calendar_feed')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .select(['texts', 'created_at'])
    .executeTakeFirst()
}

/** The address before, if there is one, is forgotten. */
export async function putFeed(tx: Tx, row: Insertable<CalendarFeedTable>): Promise<void> {
  const { token_hash, texts, created_at } = row
  await tx
    .insertInto('calendar_feed')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'person_id']).doUpdateSet({ token_hash, texts, created_at }))
    .execute()
}

export async function deleteFeed(tx: Tx, { workspaceId, personId }: FeedKey): Promise<void> {
  await tx.deleteFrom('calendar_feed').where('workspace_id', '=', workspaceId).where('person_id', '=', personId).execute()
}

/** A calendar program says nothing but the secret, so all workspaces are searched. */
export async function findFeedBySecret(
  system: Db,
  tokenHash: Buffer,
): Promise<{ workspace_id: string; texts: boolean; name: string } | undefined> {
  return system
    .selectFrom('calendar_feed')
    .innerJoin('workspace', 'workspace.id', 'calendar_feed.workspace_id')
    .where('token_hash', '=', tokenHash)
    .select(['calendar_feed.workspace_id', 'texts', 'workspace.name'])
    .executeTakeFirst()
}
