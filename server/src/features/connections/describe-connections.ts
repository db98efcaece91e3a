import type { Connection } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { listConnections } from './connection.store.ts'
import { presentConnection } from './present-connection.ts'

export async function describeConnections({ ctx, tx, principal, nowMs }: RequestScope): Promise<Connection[]> {
  return (await listConnections(tx, principal.workspaceId)).map((row) => presentConnection(ctx, row, nowMs))
}
