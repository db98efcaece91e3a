import { developerApps } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { serve } from '../../../infra/http/serve.ts'
import { listOwnApps, removeOwnApp, saveOwnApp } from './manage-own-apps.ts'

export function developerAppRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, developerApps.list, (call) => listOwnApps(call))
  serve(app, ctx, developerApps.save, (call) => saveOwnApp(call, call.body))
  serve(app, ctx, developerApps.remove, (call) => removeOwnApp(call, call.params.platform))
}
