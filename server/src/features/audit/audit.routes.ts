import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { listChanges } from './list-changes.ts'

export function auditRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.audit, (call) => listChanges(call, call.query))
}
