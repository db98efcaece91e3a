import { notes } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeNote, createNote, getNotes, removeNote } from './manage-notes.ts'

export function noteRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, notes.list, (call) => getNotes(call, call.query))
  serve(app, ctx, notes.create, (call) => createNote(call, call.body))
  serve(app, ctx, notes.update, (call) => changeNote(call, call.params.id, call.body))
  serve(app, ctx, notes.remove, (call) => removeNote(call, call.params.id))
}
