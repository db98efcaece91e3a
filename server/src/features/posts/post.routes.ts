import {
  type Accepted,
  type Attention,
  type BodyOf,
  type Endpoint,
  type NewPost,
  type Post,
  type PostType,
  content,
  queues,
  workspaces,
} from '@carillon/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { runBulk } from '../../infra/http/run-bulk.ts'
import { createValidator } from '../../infra/http/schemas/create-validator.ts'
import { type Prepared, servePrepared } from '../../infra/http/serve-prepared.ts'
import { serve } from '../../infra/http/serve.ts'
import { findCreator } from '../audit/find-creator.ts'
import { listConnectionStatuses } from '../connections/present-connection.ts'
import { isForm, withForms } from '../media/upload/read-form.ts'
import { requireQueue } from '../queues/manage-queues.ts'
import { takeSlot } from '../queues/take-slot.ts'
import { approvePost, requestChanges, submitPost, withApproval, withdrawPost } from './approval/decide.ts'
import { linkOfSubmission } from './approval/links/link-of-submission.ts'
import { bulkLabel, bulkReschedule } from './bulk/bulk-posts.ts'
import { createPost } from './create-post.ts'
import { fetchNamedFiles, prepareWithFiles } from './files/prepare-with-files.ts'
import { readPostForm } from './files/read-post-form.ts'
import { loadPost, lockPost, requireUnchanged } from './load-post.ts'
import { updatePost } from './post.store.ts'
import { prepareDraftUpdate } from './prepare-draft-update.ts'
import { publishDraft } from './publish-draft.ts'
import { listCalendar, listPostPage } from './reading/list-post-page.ts'
import { countTroubles } from './reading/post-tally.store.ts'
import { presentStatus, showPost } from './reading/present-post.ts'
import { showTimeline } from './reading/show-timeline.ts'
import { preparePostRemoval, removePost } from './remove-post.ts'
import { resolveChannel } from './resolve-targets.ts'
import { retryPost } from './retry-post.ts'
import { reflowQueue } from './schedule/reflow-queue.ts'
import { lockScheduledPost, moveScheduledPost, publishNow, reschedulePost, unschedulePost } from './schedule/reschedule-post.ts'
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
  serve(app, ctx, content.submit, (call) => submitByProgram(call, call.params.id, call.body))
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

/** The response to a program has what it hands to its person. */
async function submitByProgram(scope: RequestScope, id: string, body: BodyOf<typeof content.submit>): Promise<Answer<Post>> {
  const post = await withApproval(scope, await submitPost(scope, id, body))
  const { approval } = post
  const link = approval && (await linkOfSubmission(scope, { id: post.uploadId, approval_revision: approval.revision }))
  return withSubject(link ? { ...post, approval: { ...approval, link } } : post)
}

async function decided(scope: RequestScope, post: Post): Promise<Answer<Post>> {
  return withSubject(await withApproval(scope, post))
}

/** A path may name a post by its requestId; the audit log and open pages know it by its uploadId. */
function withSubject(post: Post): Answer<Post> {
  return new Answer(post, { subjectId: post.uploadId })
}

/** Sets or clears the flag. It hides a post from the list and stops nothing. */
async function archivePost(scope: RequestScope, id: string, archived: boolean): Promise<Post> {
  const { post } = await lockPost(scope, id)
  const now = new Date(scope.nowMs)
  const change = { archived_at: archived ? (post.archived_at ?? now) : null, updated_at: now }
  await updatePost(scope.tx, { workspaceId: scope.principal.workspaceId, id: post.id }, change)
  return showPost(scope, await loadPost(scope, post.id))
}

const countMax = 1000

async function countAttention(scope: RequestScope): Promise<Attention> {
  const [troubles, statuses] = await Promise.all([
    countTroubles(scope.tx, scope.principal.workspaceId, countMax),
    listConnectionStatuses(scope),
  ])
  const countOf = (wanted: string) => statuses.filter((status) => status === wanted).length
  return { ...troubles, needsReconnect: countOf('needs_reconnect'), expiring: countOf('expiring') }
}

type Call = { ctx: Context; request: FastifyRequest; principal: { workspaceId: string }; body: unknown }

/** Prepares a new post with files, sent as JSON or as a form: files are stored first, while no transaction is open. */
function preparePost(endpoint: Endpoint, type: PostType): (call: Call) => Promise<Prepared<Accepted>> {
  const check = createValidator(endpoint.body, 'body')
  const { properties = {} }: { properties?: object } = endpoint.body ?? {}
  const fields = new Set(Object.keys(properties))
  return ({ ctx, request, principal: { workspaceId }, body: json }) =>
    prepareWithFiles(ctx, async (stored) => {
      const form = isForm(request) ? await readPostForm(ctx, request, { workspaceId, stored, fields }) : null
      const unchecked = form?.body ?? json
      check(unchecked)
      const body = unchecked as NewPost
      // An asynchronous post is answered before a worker fetches the files that it names by URL. Nobody can approve files that are not there.
      const complete = body.async && !body.submit ? body : await fetchNamedFiles(ctx, body, { workspaceId, stored })
      return { fingerprint: form?.fingerprint ?? null, store: (scope) => createPost(scope, type, complete) }
    })
}

/** Puts a draft or a scheduled post into the next free slot of a queue. */
async function enqueuePost(scope: RequestScope, id: string, name = 'default'): Promise<Post> {
  const { tx, principal } = scope
  // The queue before the post, as for a reflow, so that neither waits for the other.
  const { id: queue } = await requireQueue(scope, name, 'share')
  const { post, channels } = await lockPost(scope, id)
  const wish = (from: typeof channels) => ({ queue, slugs: from.map((channel) => channel.connection_slug), postId: post.id })
  if (post.status === 'draft') {
    await requireUnchanged(scope, post)
    const time = await takeSlot(scope, wish(channels.filter(({ state }) => state !== 'canceled')))
    const columns = { scheduled_at: time.at, scheduled_wall: time.wall, timezone: time.timezone }
    await updatePost(tx, { workspaceId: principal.workspaceId, id: post.id }, columns)
    return publishDraft(scope, post.id)
  }
  const scheduled = await lockScheduledPost(scope, post.id)
  await moveScheduledPost(scope, scheduled, await takeSlot(scope, wish(scheduled.channels)))
  return showPost(scope, await loadPost(scope, post.id))
}
