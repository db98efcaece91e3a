import { queues } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { listSlots } from './list-slots.ts'
import { changeQueue, createQueue, getQueue, getQueues, removeQueue } from './manage-queues.ts'

export function queueRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, queues.list, (call) => getQueues(call))
  serve(app, ctx, queues.create, (call) => createQueue(call, call.body))
  serve(app, ctx, queues.get, (call) => getQueue(call, call.params.id))
  serve(app, ctx, queues.update, (call) => changeQueue(call, call.params.id, call.body))
  serve(app, ctx, queues.remove, (call) => removeQueue(call, call.params.id))
  serve(app, ctx, queues.slots, (call) => listSlots(call, call.params.id, call.query))
}
