import type { Engagement } from '@carillon/contract'
import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { FinishedFilter } from '../posts/reading/find-finished.ts'
import { matchesFigures, totals } from './figure-group.store.ts'

export type FigureLabel = Engagement & { labelId: string; collectedAt: Date | null }

/** The latest figures, summed by label. A post with several labels counts for each. */
export async function sumFiguresByLabel(tx: Tx, filter: FinishedFilter): Promise<FigureLabel[]> {
  const { rows } = await sql<FigureLabel>`
    select l.label_id as "labelId", max(m.collected_at) as "collectedAt", ${totals}
    from channel_metric m
    join channel c on c.workspace_id = m.workspace_id and c.id = m.channel_id
    join post_label l on l.workspace_id = c.workspace_id and l.post_id = c.post_id
    where ${matchesFigures(filter)}
    group by l.label_id`.execute(tx)
  return rows
}
