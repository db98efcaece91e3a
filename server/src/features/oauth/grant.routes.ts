import { grants } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { endOneGrant, listGrants } from './manage-grants.ts'

export function grantRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, grants.list, (call) => listGrants(call))
  serve(app, ctx, grants.end, (call) => endOneGrant(call, call.params.grantId))
}
