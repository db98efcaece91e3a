import type { LabelKind } from '@carillon/contract'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { dayText } from '../../infra/db/sql-parts.ts'
import type { ClientReportTable } from '../../infra/db/tables.ts'

export type ReportRow = Omit<Selectable<ClientReportTable>, 'token_hash'>
type ReportKey = { workspaceId: string; id: string }

const columns = [
  'workspace_id',
  'id',
  'token_sealed',
  'title',
  dayText('first_day').as('first_day'),
  dayText('last_day').as('last_day'),
  'label_id',
  'connection_ids',
  'language',
  'person_id',
  'api_key_id',
  'created_at',
  'expires_at',
] as const

export async function insertReport(tx: Tx, row: Insertable<ClientReportTable>): Promise<ReportRow> {
  return tx.insertInto('client_report').values(row).returning(columns).executeTakeFirstOrThrow()
}

export type FoundReport = Omit<ReportRow, 'token_sealed' | 'person_id' | 'api_key_id' | 'created_at'> & {
  workspace: string
  timezone: string
  label: string | null
  label_kind: LabelKind | null
}

/** Whoever opens a report says nothing but the secret, so all workspaces are searched. */
export async function findReportBySecret(system: Db, tokenHash: Buffer): Promise<FoundReport | undefined> {
  return system
    .selectFrom('client_report as r')
    .innerJoin('workspace as w', 'w.id', 'r.workspace_id')
    .leftJoin('label as l', (join) => join.onRef('l.workspace_id', '=', 'r.workspace_id').onRef('l.id', '=', 'r.label_id'))
    .where('r.token_hash', '=', tokenHash)
    .select([
      'r.workspace_id',
      'r.id',
      'r.title',
      dayText('r.first_day').as('first_day'),
      dayText('r.last_day').as('last_day'),
      'r.label_id',
      'r.connection_ids',
      'r.language',
      'r.expires_at',
      'w.name as workspace',
      'w.timezone',
      'l.name as label',
      'l.kind as label_kind',
    ])
    .executeTakeFirst()
}

export async function listReportRows(tx: Tx, workspaceId: string): Promise<ReportRow[]> {
  return tx.selectFrom('client_report').where('workspace_id', '=', workspaceId).select(columns).orderBy('id', 'desc').execute()
}

export async function countReports(tx: Tx, workspaceId: string): Promise<number> {
  const { reports } = await tx
    .selectFrom('client_report')
    .where('workspace_id', '=', workspaceId)
    .select(sql<number>`count(*)::int`.as('reports'))
    .executeTakeFirstOrThrow()
  return reports
}

/** False if there is no such report. */
export async function deleteReport(tx: Tx, { workspaceId, id }: ReportKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('client_report')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
