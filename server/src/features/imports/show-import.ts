import { importRowsMax, type Import, type ImportRow, type ReturnsOf, type imports } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import {
  countRows,
  deleteImport,
  findImport,
  listImportRecords,
  listRows,
  type Counts,
  type ImportRowRecord,
  type PostImport,
} from './import.store.ts'
import { resolveAccounts } from './match-accounts.ts'

const excerptMax = 80

/** The rows from `from` to the one before `next`, and everything about the import as a whole. */
export async function showImport(
  scope: RequestScope,
  id: string,
  { from = 1, next = null }: { from?: number; next?: number | null } = {},
): Promise<Import> {
  const { tx, principal } = scope
  const key = { workspaceId: principal.workspaceId, id }
  const found = await findImport(tx, key)
  if (!found) throw problem('import_not_found')
  const limit = next === null ? importRowsMax : next - from
  const rows = limit > 0 ? await listRows(tx, key, { from, limit }) : []
  const counts = await countRows(tx, principal.workspaceId, [id])
  const accounts = await resolveAccounts(scope, key, found.accounts)
  return { ...summaryOf(found, counts), accounts, rows: rows.map(presentRow), next }
}

export async function listImports({ tx, principal: { workspaceId } }: RequestScope): Promise<ReturnsOf<typeof imports.list>> {
  const found = await listImportRecords(tx, workspaceId)
  const counts = await countRows(
    tx,
    workspaceId,
    found.map(({ id }) => id),
  )
  return found.map((each) => summaryOf(each, counts))
}

export async function removeImport({ tx, principal: { workspaceId } }: RequestScope, id: string): Promise<null> {
  if (!(await deleteImport(tx, { workspaceId, id }))) throw problem('import_not_found')
  return null
}

function summaryOf({ id, name, format, created_at: at }: PostImport, counts: ReadonlyMap<string, Counts>) {
  const none: Counts = { waiting: 0, ready: 0, created: 0, exists: 0, skipped: 0, refused: 0 }
  return { id, name, format, createdAt: at.toISOString(), counts: counts.get(id) ?? none }
}

function presentRow(row: ImportRowRecord): ImportRow {
  const fields = row.content?.fields ?? {}
  const text = fields['title'] ?? fields['text']
  const files = fields['medias'] ?? fields['mediaUrls']
  return {
    row: row.number,
    key: row.key,
    status: row.status,
    placement: row.placement,
    excerpt: typeof text === 'string' ? text.slice(0, excerptMax).toWellFormed() : '',
    accounts: row.content?.accounts ?? [],
    scheduledAt: typeof fields['scheduledAt'] === 'string' ? fields['scheduledAt'].slice(0, 64) : null,
    medias: Array.isArray(files) ? files.length : 0,
    postId: row.post_id,
    code: row.code,
    message: row.message,
    details: row.details ?? [],
  }
}
