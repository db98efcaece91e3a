import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { eraseWorkspace } from './erase-workspace.ts'
import { exportWorkspace } from './export-workspace.ts'

/** Exporting and erasing a workspace: the two use cases that touch every other feature. */
export function workspaceDataRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.export, (call) => exportWorkspace(call, call.query.cursor))
  serve(app, ctx, workspaces.remove, (call) => eraseWorkspace(call))
}
