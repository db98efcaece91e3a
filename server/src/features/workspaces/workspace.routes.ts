import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeWorkspace } from './change-workspace.ts'
import { createWorkspace } from './create-workspace.ts'
import { getWorkspace, getWorkspaces } from './present-workspace.ts'

export function workspaceRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.list, (call) => getWorkspaces(call, call.query))
  serve(app, ctx, workspaces.create, (call) => createWorkspace(call, call.body))
  serve(app, ctx, workspaces.get, (call) => getWorkspace(call))
  serve(app, ctx, workspaces.update, (call) => changeWorkspace(call, call.body))
}
