import type { BodyOf, Connection, workspaces } from '@carillon/contract'
import { externalColumns, refuseTakenId } from '../../infra/external-id/external-columns.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findConnection, updateConnection } from './connection.store.ts'
import { describeConnection } from './describe-connections.ts'

/** Changes what a client remembers about a connection. The account itself changes only on its platform. */
export async function changeConnection(
  scope: RequestScope,
  id: string,
  change: BodyOf<typeof workspaces.updateConnection>,
): Promise<Answer<Connection>> {
  const { tx, nowMs } = scope
  const key = { workspaceId: scope.principal.workspaceId, id }
  await refuseTakenId(updateConnection(tx, key, { ...externalColumns(change), updated_at: new Date(nowMs) }))
  const row = await findConnection(tx, key.workspaceId, id)
  if (!row) throw problem('connection_not_found')
  return new Answer(await describeConnection(scope, row), { subjectId: id })
}
