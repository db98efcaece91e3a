import { problem } from '../../infra/problem/problem.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { deleteConnection, findConnection, type ConnectionRow } from './connection.store.ts'

/** What other features do when a connection is removed, in the same transaction. The program passes it in. */
export type ConnectionHooks = {
  beforeRemoval(scope: RequestScope, connectionId: string): Promise<void>
}

/** Removes a connection and cancels what was scheduled on it, in one transaction: nothing is sent after the answer. */
export async function disconnect(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<Answer<null>> {
  await removeConnection(scope, id, hooks)
  return new Answer(null, { subjectId: id })
}

export async function removeConnection(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<ConnectionRow> {
  const { workspaceId } = scope.principal
  const row = await findConnection(scope.tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  await hooks.beforeRemoval(scope, id)
  await deleteConnection(scope.tx, workspaceId, id)
  return row
}
