import type { Connection } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { learnCapabilities } from './capabilities/learn-capabilities.ts'
import { findConnection, updateConnection } from './connection.store.ts'
import { describeConnection } from './describe-connections.ts'
import { targetColumns } from './find-targets.ts'

/** Chooses the account or page that the connection publishes to, among those of its sign-in. Scheduled posts are published there too. */
export async function chooseTarget(scope: RequestScope, id: string, targetId: string): Promise<Answer<Connection>> {
  const { tx, nowMs } = scope
  const { workspaceId } = scope.principal
  const row = await findConnection(tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  const target = row.targets?.find((each) => each.id === targetId)
  if (!target) {
    const choices = row.targets?.map((each) => each.id).join(', ')
    const message = choices ? `Must be one of ${choices}.` : 'This connection has only one account to publish to.'
    throw problem('target_unknown', { details: [{ path: 'targetId', message }] })
  }
  // The page may do other things than the account before it.
  const unknown = { capabilities: null, capabilities_at: null, capabilities_asked_at: null }
  const change = { ...targetColumns(target), ...unknown, updated_at: new Date(nowMs) }
  await updateConnection(tx, { workspaceId, id }, change)
  scope.afterCommit(() => learnCapabilities(scope.ctx, { workspaceId, id }))
  return new Answer(await describeConnection(scope, { ...row, ...change }), { subjectId: id })
}
