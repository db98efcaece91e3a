import type { Selectable } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import type { ChannelTable } from '../../../infra/db/tables.ts'
import type { PostKey } from '../post.store.ts'

const columns = [
  'id',
  'state',
  'handle_at',
  'staged_at',
  'submitted_at',
  'published_at',
  'finished_at',
  'attempts',
  'error',
] as const

/** The columns of a channel that tell what happened to it. */
export type ChannelProgress = Pick<Selectable<ChannelTable>, (typeof columns)[number]>

export async function listChannelProgress(tx: Tx, { workspaceId, id }: PostKey): Promise<ChannelProgress[]> {
  return tx
    .selectFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .select(columns)
    .orderBy('position')
    .execute()
}
