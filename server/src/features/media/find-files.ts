import type { Tx } from '../../infra/db/db.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { isId } from '../../infra/db/ids.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import { findMediaItems, type MediaRow } from './media.store.ts'

export type { MediaRow } from './media.store.ts'

/** Finds files of the library by id. If one does not exist in this workspace, the error names the field that refers to it. */
export async function findFiles(
  { tx, principal }: Pick<RequestScope, 'tx' | 'principal'>,
  named: readonly { id: string; path: string }[],
): Promise<Map<string, MediaRow>> {
  const ids = [...new Set(named.map(({ id }) => id).filter(isId))]
  const rows = ids.length > 0 ? await findMediaItems(tx, principal.workspaceId, ids) : []
  const found = new Map(rows.map((row) => [row.id, row]))
  const missing = named.flatMap(({ id, path }): Detail[] =>
    found.has(id) ? [] : [{ path, message: 'There is no such media in this workspace.' }],
  )
  if (missing.length > 0) throw problem('request_invalid', { details: missing })
  return found
}

/** Those of these files that the library still has, in the order of their ids. */
export async function findStoredFiles(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<MediaRow[]> {
  const wanted = [...new Set(ids.filter(isId))]
  const rows = wanted.length > 0 ? await findMediaItems(tx, workspaceId, wanted) : []
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
