import type { Connection } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findConnection, updateConnection } from './connection.store.ts'
import { presentConnection } from './present-connection.ts'
import { spokenFor } from './targets.ts'

/** Chooses which of the accounts or pages that a sign-in reaches the connection publishes to. What is scheduled goes there too. */
export async function chooseTarget(
  { ctx, tx, principal, nowMs }: RequestScope,
  id: string,
  targetId: string,
): Promise<Answer<Connection>> {
  const { workspaceId } = principal
  const row = await findConnection(tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  const target = row.targets?.find((each) => each.id === targetId)
  if (!target) {
    const choices = row.targets?.map((each) => each.id).join(', ')
    const message = choices ? `Must be one of ${choices}.` : 'This connection has nothing to choose from.'
    throw problem('target_unknown', { details: [{ path: 'targetId', message }] })
  }
  const change = { ...spokenFor(target), updated_at: new Date(nowMs) }
  await updateConnection(tx, { workspaceId, id }, change)
  return new Answer(presentConnection(ctx, { ...row, ...change }, nowMs), { subjectId: id })
}
