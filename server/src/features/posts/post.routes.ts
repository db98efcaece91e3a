import { content, queues, workspaces, type Post } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { serve } from '../../infra/http/serve.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { findCreator } from '../audit/find-creator.ts'
import { withForms } from '../media/upload/read-form.ts'
import { approvePost, requestChanges, withdrawPost } from './approval/decide.ts'
import { withApproval } from './approval/show-approval.ts'
import { submitPost } from './approval/submit-post.ts'
import { archivePost } from './archive-post.ts'
import { runBulk } from '../../infra/http/run-bulk.ts'
import { bulkLabel } from './bulk/bulk-label.ts'
import { bulkReschedule } from './bulk/bulk-reschedule.ts'
import { createPost } from './create-post.ts'
import { preparePostRemoval } from './prepare-post-removal.ts'
import { removePost } from './remove-post.ts'
import { countAttention } from './reading/count-attention.ts'
import { listCalendar } from './reading/list-calendar.ts'
import { listPostPage } from './reading/list-post-page.ts'
import { loadPost } from './load-post.ts'
import { presentStatus } from './reading/present-post.ts'
import { publishDraft } from './publish-draft.ts'
import { enqueuePost } from './schedule/enqueue-post.ts'
import { publishNow } from './schedule/publish-now.ts'
import { reflowQueue } from './schedule/reflow-queue.ts'
import { reschedulePost } from './schedule/reschedule-post.ts'
import { resolveChannel } from './resolve-channel.ts'
import { retryPost } from './retry-post.ts'
import { prepareDraftUpdate } from './prepare-draft-update.ts'
import { preparePost } from './prepare-post.ts'
import { showPost } from './reading/show-post.ts'
import { showTimeline } from './reading/show-timeline.ts'
import { unschedulePost } from './schedule/unschedule-post.ts'
import { validatePost } from './validate-post.ts'

export function postRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, content.createText, (call) => createPost(call, 'text', call.body))
  withForms(app, (scope) => {
    servePrepared(scope, ctx, content.createPhotos, preparePost(content.createPhotos, 'photo'))
    servePrepared(scope, ctx, content.createVideo, preparePost(content.createVideo, 'video'))
    servePrepared(scope, ctx, content.createDocument, preparePost(content.createDocument, 'document'))
  })
  serve(app, ctx, content.list, (call) => listPostPage(call, call.query))
  serve(app, ctx, content.calendar, (call) => listCalendar(call, call.query))
  serve(app, ctx, workspaces.attention, (call) => countAttention(call))
  serve(app, ctx, content.status, async (call) => presentStatus(await loadPost(call, call.query.requestId)))
  serve(app, ctx, content.validate, (call) => validatePost(call, call.body))
  serve(app, ctx, content.get, async (call) => {
    const post = await showPost(call, await loadPost(call, call.params.id))
    return { ...(await withApproval(call, post)), createdBy: await findCreator(call, post.uploadId) }
  })
  serve(app, ctx, content.timeline, (call) => showTimeline(call, call.params.id))
  servePrepared(app, ctx, content.update, prepareDraftUpdate)
  serve(app, ctx, content.publish, async (call) => withSubject(await publishDraft(call, call.params.id)))
  serve(app, ctx, content.publishNow, async (call) => withSubject(await publishNow(call, call.params.id)))
  serve(app, ctx, content.reschedule, async (call) => withSubject(await reschedulePost(call, call.params.id, call.body)))
  serve(app, ctx, content.enqueue, async (call) => withSubject(await enqueuePost(call, call.params.id, call.body.queue)))
  serve(app, ctx, queues.reflow, (call) => reflowQueue(call, call.params.id))
  serve(app, ctx, content.submit, async (call) => decided(call, await submitPost(call, call.params.id, call.body)))
  serve(app, ctx, content.approve, async (call) => decided(call, await approvePost(call, call.params.id, call.body)))
  serve(app, ctx, content.requestChanges, async (call) =>
    decided(call, await requestChanges(call, call.params.id, call.body.comment)),
  )
  serve(app, ctx, content.withdraw, async (call) => decided(call, await withdrawPost(call, call.params.id)))
  serve(app, ctx, content.unschedule, async (call) => withSubject(await unschedulePost(call, call.params.id)))
  serve(app, ctx, content.retry, async (call) => withSubject(await retryPost(call, call.params.id, call.body.channels)))
  serve(app, ctx, content.resolve, async (call) => withSubject(await resolveChannel(call, call.params, call.body)))
  serve(app, ctx, content.archive, async (call) => withSubject(await archivePost(call, call.params.id, true)))
  serve(app, ctx, content.unarchive, async (call) => withSubject(await archivePost(call, call.params.id, false)))
  servePrepared(app, ctx, content.remove, preparePostRemoval)
  serve(app, ctx, content.bulkDelete, (call) => runBulk(call.body.ids, (id) => removePost(call, id)))
  serve(app, ctx, content.bulkArchive, (call) => runBulk(call.body.ids, (id) => archivePost(call, id, true)))
  serve(app, ctx, content.bulkUnarchive, (call) => runBulk(call.body.ids, (id) => archivePost(call, id, false)))
  serve(app, ctx, content.bulkRetry, (call) => runBulk(call.body.ids.toSorted(), (id) => retryPost(call, id)))
  serve(app, ctx, content.bulkLabel, (call) => bulkLabel(call, call.body))
  serve(app, ctx, content.bulkReschedule, (call) => bulkReschedule(call, call.body))
}

async function decided(scope: RequestScope, post: Post): Promise<Answer<Post>> {
  return withSubject(await withApproval(scope, post))
}

/** A path may name a post by its requestId; the audit log and open pages know it by its uploadId. */
function withSubject(post: Post): Answer<Post> {
  return new Answer(post, { subjectId: post.uploadId })
}
