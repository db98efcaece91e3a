import { platformsApi } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { listPlatforms } from './list-platforms.ts'

export function platformRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, platformsApi.list, () => listPlatforms(ctx))
}
