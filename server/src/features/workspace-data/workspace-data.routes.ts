import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { serve } from '../../infra/http/serve.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { eraseEntries } from '../audit/audit.store.ts'
import { deleteEvents } from '../events/outbox.store.ts'
import { removeWorkspaceFiles } from '../media/sweep-storage.ts'
import { deleteWorkspace } from '../workspaces/workspace.store.ts'
import { exportWorkspace } from './export-workspace.ts'

/** Exporting and erasing a workspace: the two use cases that touch every other feature. */
export function workspaceDataRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.export, (call) => exportWorkspace(call, call.query.cursor))
  serve(app, ctx, workspaces.remove, (call) => eraseWorkspace(call))
}

/**
 * Erases a workspace and everything in it, sealed secrets and their keys included. Deleting the workspace row deletes most tables with it;
 * events and files are handled first, while their rows can still be read. One audit entry remains: that it was erased.
 */
async function eraseWorkspace(scope: RequestScope): Promise<null> {
  const { tx, principal } = scope
  await deleteEvents(tx, principal.workspaceId)
  await removeWorkspaceFiles(scope)
  if (!(await deleteWorkspace(tx, principal.workspaceId))) throw problem('workspace_not_found')
  await eraseEntries(tx, principal.workspaceId)
  scope.afterCommit(() => clearKeyCache(scope.ctx))
  return null
}
