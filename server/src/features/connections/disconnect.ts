import type { Tx } from '../../infra/db/db.ts'
import { problem } from '../../infra/problem/problem.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { deleteConnection, markDisconnected } from './connection.store.ts'
import type { ConnectionKey } from './jobs.ts'

/** The part of a request that a removal needs. A platform that asks for one sends no request of a member. */
export type RemovalScope = Pick<RequestScope, 'tx' | 'nowMs'> & { principal: Pick<RequestScope['principal'], 'workspaceId'> }

/** What other features do when a connection is removed or connected again, in the same transaction. The program passes it in. */
export type ConnectionHooks = {
  beforeRemoval(scope: RemovalScope, connectionId: string): Promise<void>
  afterReconnect(tx: Tx, connection: ConnectionKey): Promise<void>
}

/**
 * Removes a connection and cancels what was scheduled on it, in one transaction: nothing is sent after the answer. For clients it is gone.
 * Its credentials are kept until it is known what became of the channels that are being sent at this moment; see `sweepDisconnected`.
 */
export async function disconnect(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<Answer<null>> {
  await closeConnection(scope, id, hooks)
  return new Answer(null, { subjectId: id })
}

/** Removes a connection together with its credentials. What is being sent on it at this moment ends unconfirmed. */
export async function removeConnection(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<void> {
  await closeConnection(scope, id, hooks)
  await deleteConnection(scope.tx, scope.principal.workspaceId, id)
}

async function closeConnection(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<void> {
  const { workspaceId } = scope.principal
  if (!(await markDisconnected(scope.tx, { workspaceId, id }, new Date(scope.nowMs)))) throw problem('connection_not_found')
  await hooks.beforeRemoval(scope, id)
}
