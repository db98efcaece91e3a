import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { serve } from '../http/serve.ts'
import { changeWorkspace } from './change-workspace.ts'
import { createWorkspace } from './create-workspace.ts'
import { eraseWorkspace } from './erase-workspace.ts'
import { exportWorkspace } from './export-workspace.ts'
import { getWorkspace, getWorkspaces } from './get-workspace.ts'
import { createApiKey, listKeys, revokeApiKey } from './manage-api-keys.ts'

export function workspaceRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.list, (call) => getWorkspaces(call))
  serve(app, ctx, workspaces.create, (call) => createWorkspace(call, call.body))
  serve(app, ctx, workspaces.get, (call) => getWorkspace(call))
  serve(app, ctx, workspaces.update, (call) => changeWorkspace(call, call.body))
  serve(app, ctx, workspaces.remove, (call) => eraseWorkspace(call))
  serve(app, ctx, workspaces.export, (call) => exportWorkspace(call, call.query.cursor))
  serve(app, ctx, workspaces.apiKeys, (call) => listKeys(call))
  serve(app, ctx, workspaces.createApiKey, (call) => createApiKey(call, call.body))
  serve(app, ctx, workspaces.deleteApiKey, (call) => revokeApiKey(call, call.params.keyId))
}
