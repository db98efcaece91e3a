import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { Refusal, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import { randomToken } from '../../state/ids.ts'
import type { Realm } from '../../state/platform-context.ts'
import { invalidParams, ok, refuseWith } from './errors.ts'
import { fetchPhotos, finishVideo } from './finish-job.ts'
import { publicIdOf, statusOf, uploadedBytes, type Job } from './job.ts'
import { readPhotoInit, readVideoInit } from './read-init.ts'

const uploadLifetimeMs = 3_600_000
const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm']

type Shelf = { jobs: Map<string, Job>; nextId: () => string }

export function publishingRoutes(realm: Realm, { jobs, nextId }: Shelf): Route[] {
  const open = (
    prefix: string,
    job: Omit<Job, 'id' | 'downloadedBytes' | 'readyAtMs' | 'failReason' | 'media' | 'post'>,
  ): Job => {
    const id = `${prefix}~v2-1.${nextId()}`
    const opened: Job = { ...job, id, downloadedBytes: 0, readyAtMs: Infinity, failReason: undefined, media: [], post: undefined }
    jobs.set(id, opened)
    return opened
  }

  /** Nothing is published before the last byte has arrived. */
  const initVideo = (call: Call, { account }: Session): Reply => {
    requireRoom(realm, account)
    const { text, privacy, ...sizes } = readVideoInit(call.fields ?? {}, account)
    const upload = { ...sizes, urlExpiresAtMs: realm.now() + uploadLifetimeMs, pieces: [] }
    const { id } = open('v_pub_file', { account, isVideo: true, text, privacy, upload })
    return ok({ publish_id: id, upload_url: `${realm.origin}/video/${encodeURIComponent(id)}?upload_token=${randomToken(8)}` })
  }

  /** This call alone publishes: TikTok fetches the photos by itself. */
  const initPhotos = (call: Call, { account }: Session): Reply => {
    requireRoom(realm, account)
    const { text, privacy, urls } = readPhotoInit(call.fields ?? {}, account)
    const job = open('p_pub_url', { account, isVideo: false, text, privacy, upload: undefined })
    void fetchPhotos(realm, job, urls, { nextId, arrivedAtMs: call.arrivedAtMs })
    return ok({ publish_id: job.id })
  }

  const put = (call: Call): Reply => {
    const job = jobs.get(call.params['id'] ?? '')
    if (!job?.upload || job.upload.urlExpiresAtMs <= realm.now()) throw new Refusal({ status: 403, headers: {}, body: '' })
    const { upload } = job
    const { first, last, total } = rangeOf(call)
    const isLast = upload.pieces.length === upload.chunkCount - 1
    const expected = isLast ? upload.sizeBytes - uploadedBytes(job) : upload.chunkBytes
    const fits = first === uploadedBytes(job) && total === upload.sizeBytes && last - first + 1 === call.body.length
    if (!fits || call.body.length !== expected) throw new Refusal({ status: 416, headers: {}, body: '' })
    if (!videoTypes.includes(call.headers['content-type'] ?? '')) throw new Refusal({ status: 400, headers: {}, body: '' })
    upload.pieces.push(call.body)
    if (isLast) finishVideo(realm, job, { nextId, arrivedAtMs: call.arrivedAtMs })
    return { status: isLast ? 201 : 206, headers: { 'content-range': `bytes 0-${last}/${total}` }, body: '' }
  }

  const fetchStatus = (call: Call, { account }: Session): Reply => {
    const job = jobs.get(textOf(call.fields?.['publish_id']) ?? '')
    if (!job || job.account !== account) throw invalidParams('publish_id is invalid')
    const publicId = publicIdOf(job, realm.processingMs, realm.now())
    const reply = ok({
      status: statusOf(job, realm.now()),
      ...(job.failReason === undefined ? {} : { fail_reason: job.failReason }),
      ...(job.upload ? { uploaded_bytes: uploadedBytes(job) } : { downloaded_bytes: job.downloadedBytes }),
      publicaly_available_post_id: publicId === undefined ? [] : [`int64:${publicId}`],
    })
    // The ids are numbers too large for most readers, and TikTok writes them as numbers.
    return { ...reply, body: String(reply.body).replaceAll(/"int64:(\d+)"/g, '$1') }
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
      // Only the last piece makes the post.
      operation: (call) => (isLastPiece(call) ? 'submit' : 'stage'),
      open: true,
      whose: ({ params }) => jobs.get(params['id'] ?? '')?.account,
      answer: put,
    },
  ]
}

function rangeOf({ headers }: Call): { first: number; last: number; total: number } {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '')
  return { first: Number(found?.[1] ?? -1), last: Number(found?.[2] ?? -1), total: Number(found?.[3] ?? -1) }
}

function isLastPiece(call: Call): boolean {
  const { last, total } = rangeOf(call)
  return last + 1 === total
}

function requireRoom(realm: Realm, account: Account): void {
  const max = realm.limits.enabled ? (realm.limits.all()['posts']?.max ?? Infinity) : Infinity
  if (realm.limits.used(account, 'posts', realm.now()) >= max)
    throw refuseWith(403, 'spam_risk_too_many_posts', 'The daily post cap from the API is reached for the current user.')
}
