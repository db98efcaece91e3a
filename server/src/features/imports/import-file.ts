import { createHash } from 'node:crypto'
import type { BodyOf, ImportFormat, imports } from '@carillon/contract'
import { newId } from '../../infra/db/ids.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { readBuffer } from './formats/read-buffer.ts'
import { type FileRow, unreadable } from './formats/file-row.ts'
import { readMixpost } from './formats/read-mixpost.ts'
import { readCsv, readJsonLines } from './formats/read-own.ts'
import { readPostiz } from './formats/read-postiz.ts'
import { findSameFile, insertImport, insertRows, trimImports } from './import.store.ts'

type Body = BodyOf<typeof imports.create>

const readers: Readonly<Record<ImportFormat, (content: string) => FileRow[]>> = {
  csv: readCsv,
  jsonl: readJsonLines,
  postiz: readPostiz,
  mixpost: readMixpost,
  buffer: readBuffer,
}

/** Stores the rows of a file and returns the id of its import. The same file is the same import. */
export async function storeFile(
  { ctx, principal: { workspaceId, personId }, nowMs }: Pick<RequestScope, 'ctx' | 'principal' | 'nowMs'>,
  { format, content, name, timezone }: Body,
): Promise<string> {
  const rows = readers[format](content)
  if (rows.length === 0) throw unreadable('The file has no rows.')
  const fingerprint = createHash('sha256')
    .update(`${format} ${timezone ?? ''} ${content}`)
    .digest()
  const id = newId(nowMs)
  return ctx.db.tenant(workspaceId, async (tx) => {
    const row = { workspace_id: workspaceId, id, name: name ?? null, format, accounts: '{}', fingerprint, person_id: personId }
    if (!(await insertImport(tx, { ...row, created_at: new Date(nowMs) }))) {
      const same = await findSameFile(tx, workspaceId, fingerprint)
      if (same) return same.id
    }
    await insertRows(
      tx,
      listRecords(rows, timezone).map((record) => ({ workspace_id: workspaceId, import_id: id, ...record })),
    )
    await trimImports(tx, workspaceId)
    return id
  })
}

/** Rows that make no post say at once why. */
function listRecords(rows: readonly FileRow[], timezone: string | undefined) {
  const first = new Map<string, number>()
  return rows.map((row, index) => {
    const number = index + 1
    const { key } = row
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, number)
    if (earlier !== undefined)
      return { number, key, content: null, status: 'exists' as const, message: `Row ${earlier} is the same.` }
    if ('refusal' in row)
      return { number, key, content: null, status: 'refused' as const, code: 'request_invalid', message: row.refusal }
    const { fields } = row.content
    // A time with an offset needs none.
    const inZone =
      timezone !== undefined && typeof fields['scheduledAt'] === 'string' && fields['timezone'] === undefined ? { timezone } : {}
    return {
      number,
      key,
      content: JSON.stringify({ ...row.content, fields: { ...fields, ...inZone } }),
      status: 'waiting' as const,
    }
  })
}
