import type { Call } from '../../http/call.ts'
import { isFields, textOf } from '../../http/fields.ts'
import { refuse, type Refusal, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { invalidParams, ok, refuseWith } from './errors.ts'
import { fetchPhotos, finishVideo } from './finish-job.ts'
import { publicIdOf, statusOf, uploadedBytes, type Job } from './job.ts'
import { readPhotoInit, readVideoInit } from './read-init.ts'

const uploadLifetimeMs = 3_600_000
const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm']

type Tables = { jobs: Map<string, Job>; nextId: () => string }

export function publishingRoutes(context: PlatformContext, { jobs, nextId }: Tables): Route[] {
  const openJob = (
    prefix: string,
    job: Omit<Job, 'id' | 'downloadedBytes' | 'readyAtMs' | 'failReason' | 'failsAtMs' | 'media' | 'post'>,
  ): Job => {
    const id = `${prefix}~v2-1.${nextId()}`
    const opened: Job = {
      ...job,
      id,
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

  /** The video is published when its last byte arrives. */
  const initVideo = (call: Call, { account }: Session): Reply => {
    requireDailyQuota(context, account)
    const { text, privacy, ...sizes } = readVideoInit(call.fields ?? {}, account)
    const upload = { ...sizes, urlExpiresAtMs: context.now() + uploadLifetimeMs, chunks: [] }
    const { id } = openJob('v_pub_file', { account, isVideo: true, text, privacy, request: call.fields ?? {}, upload })
    return ok({ publish_id: id, upload_url: `${context.origin}/video/${encodeURIComponent(id)}?upload_token=${randomToken(8)}` })
  }

  /** This call publishes: TikTok fetches the photos itself. */
  const initPhotos = (call: Call, { account }: Session): Reply => {
    requireDailyQuota(context, account)
    const { text, privacy, urls } = readPhotoInit(call.fields ?? {}, account)
    const request = call.fields ?? {}
    const job = openJob('p_pub_url', { account, isVideo: false, text, privacy, request, upload: undefined })
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
  return [
    {
      method: 'POST',
      path: '/v2/post/publish/video/init/',
      operation: 'stage',
      scope,
      charges: [{ limit: 'videoInit', cost: 1 }],
      handle: initVideo,
    },
    {
      method: 'POST',
      path: '/v2/post/publish/content/init/',
      operation: 'submit',
      scope,
      charges: [{ limit: 'photoInit', cost: 1 }],
      readSubmit: readPhotoSubmit,
      handle: initPhotos,
    },
    {
      method: 'POST',
      path: '/v2/post/publish/status/fetch/',
      operation: 'check',
      scope,
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
