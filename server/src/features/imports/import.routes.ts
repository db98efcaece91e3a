import { exports, imports } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { Answer } from '../../infra/http/request-scope.ts'
import { serve } from '../../infra/http/serve.ts'
import { serveFile } from '../../infra/http/serve-file.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { exportPosts } from './export-posts.ts'
import { storeFile } from './import-file.ts'
import { runRows } from './run-rows.ts'
import { listImports, removeImport, showImport } from './show-import.ts'

export function importRoutes(app: FastifyInstance, ctx: Context): void {
  // The rows are stored one by one before the answer, so nothing has to be undone if that fails: the same request again goes on.
  servePrepared(app, ctx, imports.create, async (call) => {
    const id = await storeFile(call, call.body)
    const next = await runRows(call, id, call.body)
    return {
      fingerprint: null,
      store: async (scope) => new Answer(await showImport(scope, id, { next }), { subjectId: id }),
      discard: async () => {},
    }
  })
  servePrepared(app, ctx, imports.run, async (call) => {
    const { id } = call.params
    const next = await runRows(call, id, call.body)
    return {
      fingerprint: null,
      store: (scope) => showImport(scope, id, { from: call.body.from ?? 1, next }),
      discard: async () => {},
    }
  })
  serveFile(app, ctx, exports.csv, (call) => exportPosts(call, call.query, 'csv'))
  serveFile(app, ctx, exports.lines, (call) => exportPosts(call, call.query, 'jsonl'))
  serve(app, ctx, imports.list, (call) => listImports(call))
  serve(app, ctx, imports.get, (call) => showImport(call, call.params.id))
  serve(app, ctx, imports.remove, (call) => removeImport(call, call.params.id))
}
