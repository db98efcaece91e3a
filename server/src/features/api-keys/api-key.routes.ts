import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { createApiKey, listKeys, revokeApiKey } from './manage-api-keys.ts'

export function apiKeyRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.apiKeys, (call) => listKeys(call))
  serve(app, ctx, workspaces.createApiKey, (call) => createApiKey(call, call.body))
  serve(app, ctx, workspaces.deleteApiKey, (call) => revokeApiKey(call, call.params.keyId))
}
