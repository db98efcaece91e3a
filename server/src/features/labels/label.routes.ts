import { labels } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeLabel, createLabel, getLabels, removeLabel } from './manage-labels.ts'

export function labelRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, labels.list, (call) => getLabels(call))
  serve(app, ctx, labels.create, (call) => createLabel(call, call.body))
  serve(app, ctx, labels.update, (call) => changeLabel(call, call.params.id, call.body))
  serve(app, ctx, labels.remove, (call) => removeLabel(call, call.params.id))
}
