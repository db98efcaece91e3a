import { series } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { approveSeries, changeSeries, createSeries, previewDates, removeSeries, skipDate } from './manage-series.ts'
import { listSeries, showSeries } from './show-series.ts'

export function seriesRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, series.list, (call) => listSeries(call))
  serve(app, ctx, series.create, (call) => createSeries(call, call.body))
  serve(app, ctx, series.preview, async (call) => previewDates(call, call.body))
  serve(app, ctx, series.get, (call) => showSeries(call, call.params.id))
  serve(app, ctx, series.update, (call) => changeSeries(call, call.params.id, call.body))
  serve(app, ctx, series.skip, (call) => skipDate(call, call.params.id, call.body.date))
  serve(app, ctx, series.approve, (call) => approveSeries(call, call.params.id, call.body.revision))
  serve(app, ctx, series.remove, (call) => removeSeries(call, call.params.id, call.query.posts))
}
