import type { Call } from '../../http/call.ts'
import { isFields, textOf } from '../../http/fields.ts'
import { refuse, type Refusal, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { invalidParams, ok, refuseWith } from './errors.ts'
import { fetchPhotos, finishInbox, finishVideo } from './finish-job.ts'
import { isPending, publicIdOf, statusOf, uploadedBytes, type Job } from './job.ts'
import { isInboxInit, readInboxVideoInit, readPhotoInit, readVideoInit } from './read-init.ts'

const uploadLifetimeMs = 3_600_000
/** developers.tiktok.com, "Upload content": unfinished posts of one account in 24 hours. */
const pendingMax = 5
const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm']

type Tables = { jobs: Map<string, Job>; nextId: () => string }

export function publishingRoutes(context: PlatformContext, { jobs, nextId }: Tables): Route[] {
  const openJob = (
    prefix: string,
    job: Omit<Job, 'id' | 'openedAtMs' | 'downloadedBytes' | 'readyAtMs' | 'failReason' | 'failsAtMs' | 'media' | 'post'>,
  ): Job => {
    const id = `${prefix}~v2-1.${nextId()}`
    const opened: Job = {
      ...job,
      id,
      openedAtMs: context.now(),
      downloadedBytes: 0,
      readyAtMs: Infinity,
      failReason: undefined,
      failsAtMs: 0,
      media: [],
      post: undefined,
    }
    jobs.set(id, opened)
    return opened
  }

  const requireRoom = (account: Account): void => {
    const own = [...jobs.values()].filter((job) => job.account === account)
    finishInbox(context, own, nextId)
    if (own.filter((job) => isPending(job, context.now())).length >= pendingMax)
      throw refuseWith(403, 'spam_risk_too_many_pending_share', 'There are too many unfinished posts in the last 24 hours.')
  }

  /** The video is published, or in the inbox, when its last byte arrives. */
  const initVideo = (call: Call, { account }: Session, isForInbox = false): Reply => {
    if (isForInbox) requireRoom(account)
    else requireDailyQuota(context, account)
    const request = call.fields ?? {}
    const { text, privacy, ...sizes } = isForInbox ? readInboxVideoInit(request) : readVideoInit(request, account)
    const upload = { ...sizes, urlExpiresAtMs: context.now() + uploadLifetimeMs, chunks: [] }
    const prefix = isForInbox ? 'v_inbox_file' : 'v_pub_file'
    const { id } = openJob(prefix, { account, isVideo: true, isForInbox, text, privacy, request, upload })
    return ok({ publish_id: id, upload_url: `${context.origin}/video/${encodeURIComponent(id)}?upload_token=${randomToken(8)}` })
  }

  /** This call publishes or puts into the inbox: TikTok fetches the photos itself. */
  const initPhotos = (call: Call, { account }: Session): Reply => {
    const request = call.fields ?? {}
    const isForInbox = isInboxInit(request)
    if (isForInbox) requireRoom(account)
    else requireDailyQuota(context, account)
    const { text, privacy, urls } = readPhotoInit(request, account)
    const prefix = isForInbox ? 'p_inbox_url' : 'p_pub_url'
    const job = openJob(prefix, { account, isVideo: false, isForInbox, text, privacy, request, upload: undefined })
    void fetchPhotos(context, job, urls, { nextId, call })
    return ok({ publish_id: job.id })
  }

  const put = (call: Call): Reply => {
    const job = jobs.get(call.params['id'] ?? '')
    if (!job?.upload || job.upload.urlExpiresAtMs <= context.now()) throw refuseUpload(403)
    const { upload } = job
    const { first, last, total } = rangeOf(call)
    const isLast = upload.chunks.length === upload.chunkCount - 1
    const expected = isLast ? upload.sizeBytes - uploadedBytes(job) : upload.chunkBytes
    const fits = first === uploadedBytes(job) && total === upload.sizeBytes && last - first + 1 === call.body.length
    if (!fits || call.body.length !== expected) throw refuseUpload(416)
    if (!videoTypes.includes(call.headers['content-type'] ?? '')) throw refuseUpload(400)
    upload.chunks.push(call.body)
    if (isLast) finishVideo(context, job, { nextId, call })
    return { status: isLast ? 201 : 206, headers: { 'content-range': `bytes 0-${last}/${total}` }, body: '' }
  }

  const fetchStatus = (call: Call, { account }: Session): Reply => {
    const job = jobs.get(textOf(call.fields?.['publish_id']) ?? '')
    if (!job || job.account !== account) throw invalidParams('publish_id is invalid')
    finishInbox(context, [job], nextId)
    const publicId = publicIdOf(job, context.settings.processingMs, context.now())
    const status = statusOf(job, context.now())
    const reply = ok({
      status,
      ...(status === 'FAILED' ? { fail_reason: job.failReason } : {}),
      ...(job.upload ? { uploaded_bytes: uploadedBytes(job) } : { downloaded_bytes: job.downloadedBytes }),
      publicaly_available_post_id: publicId === undefined ? [] : [`int64:${publicId}`],
    })
    // TikTok writes these ids as JSON numbers, though they exceed what a JavaScript number can represent.
    return { ...reply, body: String(reply.body).replaceAll(/"int64:(\d+)"/g, '$1') }
  }

  const readChunkSubmit = (call: Call): SubmitRequest | undefined => {
    if (!isLastChunk(call)) return undefined
    const id = call.params['id'] ?? ''
    return { operation: 'upload_last_chunk', text: jobs.get(id)?.text ?? '', key: id, replyTo: null }
  }

  const scope = 'video.publish'
  const inboxScope = 'video.upload'
  const isOfInbox = ({ fields }: Call) => jobs.get(textOf(fields?.['publish_id']) ?? '')?.isForInbox === true
  return [
    {
      method: 'POST',
      path: '/v2/post/publish/inbox/video/init/',
      operation: 'stage',
      scope: inboxScope,
      charges: [{ limit: 'videoInit', cost: 1 }],
      handle: (call, session) => initVideo(call, session, true),
    },
    {
      method: 'POST',
      path: '/v2/post/publish/video/init/',
      operation: 'stage',
      scope,
      charges: [{ limit: 'videoInit', cost: 1 }],
      handle: (call, session) => initVideo(call, session),
    },
    {
      method: 'POST',
      path: '/v2/post/publish/content/init/',
      operation: 'submit',
      scope: ({ fields = {} }) => (isInboxInit(fields) ? inboxScope : scope),
      charges: [{ limit: 'photoInit', cost: 1 }],
      readSubmit: readPhotoSubmit,
      handle: initPhotos,
    },
    {
      method: 'POST',
      path: '/v2/post/publish/status/fetch/',
      operation: 'check',
      scope: (call) => (isOfInbox(call) ? inboxScope : scope),
      charges: [{ limit: 'status', cost: 1 }],
      handle: fetchStatus,
    },
    {
      method: 'PUT',
      path: '/video/:id',
      // Only the last chunk publishes the post.
      operation: (call) => (isLastChunk(call) ? 'submit' : 'stage'),
      open: true,
      findAccount: ({ params }) => jobs.get(params['id'] ?? '')?.account,
      readSubmit: readChunkSubmit,
      answer: put,
    },
  ]
}

function readPhotoSubmit({ fields = {} }: Call): SubmitRequest {
  const info = fields['post_info']
  const text = isFields(info) ? (textOf(info['description']) ?? '') : ''
  return { operation: 'publish_photos', text, key: null, replyTo: null }
}

function rangeOf({ headers }: Call): { first: number; last: number; total: number } {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '')
  return { first: Number(found?.[1] ?? -1), last: Number(found?.[2] ?? -1), total: Number(found?.[3] ?? -1) }
}

function isLastChunk(call: Call): boolean {
  const { last, total } = rangeOf(call)
  return last + 1 === total
}

function requireDailyQuota(context: PlatformContext, account: Account): void {
  const max = context.limits.enabled ? (context.limits.all()['posts']?.max ?? Infinity) : Infinity
  if (context.limits.used(account, 'posts', context.now()) >= max)
    throw refuseWith(403, 'spam_risk_too_many_posts', 'The daily post cap from the API is reached for the current user.')
}

/** The guide to uploads names statuses only. What the storage writes into the body is left open. */
function refuseUpload(status: number): Refusal {
  return refuse(status, { message: 'The upload was not accepted.' })
}
