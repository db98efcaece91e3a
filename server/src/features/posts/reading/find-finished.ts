import { channelStatus } from '@carillon/core'
import type { Tx } from '../../../infra/db/db.ts'
import {
  countFinished as countRows,
  listFinished,
  type FinishedCursor,
  type FinishedDay,
  type FinishedFilter,
} from './finished.store.ts'

export { countFinishedBy, countFinishedByLabel } from './finished-group.store.ts'
export type { FinishedCursor, FinishedDay, FinishedFilter } from './finished.store.ts'

/** How many channels succeeded and failed on each day; an unconfirmed one counts as failed. */
export function countFinished(tx: Tx, filter: FinishedFilter): Promise<FinishedDay[]> {
  return countRows(tx, filter)
}

/** A page of the finished channels, oldest first, and the cursor of the next page. */
export async function pageFinished(
  tx: Tx,
  filter: FinishedFilter,
  { after, limit }: { after: FinishedCursor | null; limit: number },
) {
  const rows = await listFinished(tx, filter, { after, limit })
  return {
    channels: rows.map(({ state, error, ...row }) => ({ ...row, status: channelStatus(state), error: error?.message ?? null })),
    next: rows.length === limit ? (rows.at(-1) ?? null) : null,
  }
}
