import { media } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { runBulk } from '../../infra/http/run-bulk.ts'
import { serve } from '../../infra/http/serve.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { changeMedia } from './change-media.ts'
import { completeUpload } from './upload/complete-upload.ts'
import { getMedia, listMediaPage } from './get-media.ts'
import { withForms } from './upload/read-form.ts'
import { removeMedia } from './remove-media.ts'
import { abortUpload } from './upload/abort-upload.ts'
import { startUpload } from './upload/start-upload.ts'
import { uploadMedia } from './upload/upload-media.ts'

export function mediaRoutes(app: FastifyInstance, ctx: Context): void {
  withForms(app, (scope) => servePrepared(scope, ctx, media.upload, uploadMedia))
  serve(app, ctx, media.list, (call) => listMediaPage(call, call.query))
  serve(app, ctx, media.get, (call) => getMedia(call, call.params.id))
  serve(app, ctx, media.update, (call) => changeMedia(call, call.params.id, call.body))
  serve(app, ctx, media.remove, (call) => removeMedia(call, call.params.id, call.query.force === 'true'))
  serve(app, ctx, media.bulkDelete, (call) => runBulk(call.body.ids, (id) => removeMedia(call, id, call.query.force === 'true')))
  servePrepared(app, ctx, media.startUpload, startUpload)
  servePrepared(app, ctx, media.completeUpload, completeUpload)
  servePrepared(app, ctx, media.abortUpload, abortUpload)
}
