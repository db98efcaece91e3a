import { ai, workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { serveWaiting } from '../../infra/http/serve-waiting.ts'
import { generateCaptions } from './generate-captions.ts'
import { getUsage } from './get-usage.ts'
import { openModel } from './open-model.ts'
import { suggestHashtags } from './suggest-hashtags.ts'
import { includesAi } from './with-model.ts'

export function aiRoutes(app: FastifyInstance, ctx: Context): void {
  const { ai: config } = ctx.config
  const model = config && openModel(config)
  serve(app, ctx, ai.status, async ({ principal }) => ({
    available: config !== null && includesAi(principal.plan),
    model: config?.model ?? '',
  }))
  serve(app, ctx, workspaces.usage, (call) => getUsage(call))
  serveWaiting(app, ctx, ai.generateContent, (call) => generateCaptions(call, model, call.body))
  serveWaiting(app, ctx, ai.suggestHashtags, (call) => suggestHashtags(call, model, call.body))
}
