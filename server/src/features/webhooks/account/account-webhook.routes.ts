import { accountWebhooks } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { serve } from '../../../infra/http/serve.ts'
import { servePrepared } from '../../../infra/http/serve-prepared.ts'
import {
  getAccountWebhook,
  getAccountWebhooks,
  removeAccountWebhook,
  rotateAccountSecret,
  testAccountWebhook,
} from './account-webhooks.ts'
import { changeAccountWebhook, createAccountWebhook } from './save-account-webhook.ts'

export function accountWebhookRoutes(app: FastifyInstance, ctx: Context): void {
  servePrepared(app, ctx, accountWebhooks.create, createAccountWebhook)
  serve(app, ctx, accountWebhooks.list, (call) => getAccountWebhooks(call))
  serve(app, ctx, accountWebhooks.get, (call) => getAccountWebhook(call, call.params.id))
  servePrepared(app, ctx, accountWebhooks.update, changeAccountWebhook)
  serve(app, ctx, accountWebhooks.remove, (call) => removeAccountWebhook(call, call.params.id))
  serve(app, ctx, accountWebhooks.rotateSecret, (call) => rotateAccountSecret(call, call.params.id))
  serve(app, ctx, accountWebhooks.test, (call) => testAccountWebhook(call, call.params.id, call.body))
}
