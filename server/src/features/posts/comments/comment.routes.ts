import { comments } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { serve } from '../../../infra/http/serve.ts'
import { changeComment, createComment, getComments, removeComment } from './manage-comments.ts'

export function commentRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, comments.list, (call) => getComments(call, call.params.id))
  serve(app, ctx, comments.create, (call) => createComment(call, call.params.id, call.body))
  serve(app, ctx, comments.update, (call) => changeComment(call, call.params, call.body))
  serve(app, ctx, comments.remove, (call) => removeComment(call, call.params))
}
