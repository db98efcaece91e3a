import { fetchFile } from '../../http/fetch-file.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitSource } from '../../state/submits.ts'
import { finishedAtMs, type Job, type TikTokPost } from './job.ts'

const photoBytesMax = 20_000_000
const photos = ['image/jpeg', 'image/webp']

type Finish = { nextId: () => string; call: SubmitSource }

/** The upload is complete, so the post is published. The status reports it only after processing. */
export function finishVideo(context: PlatformContext, job: Job, finish: Finish): void {
  const bytes = Buffer.concat(job.upload?.chunks ?? [])
  const mime = videoType(bytes)
  if (mime === undefined) {
    job.failReason = 'file_format_check_failed'
    return
  }
  job.readyAtMs = context.now() + context.settings.processingMs
  if (failProcessing(context, job)) return
  const { account, readyAtMs } = job
  job.media.push(context.simulator.media.add(context.name, { id: finish.nextId(), account, mime, bytes, alt: '', readyAtMs }))
  commit(context, job, finish)
}

function videoType(bytes: Buffer): string | undefined {
  if (bytes.subarray(4, 8).toString('latin1') === 'ftyp') return 'video/mp4'
  return bytes.subarray(0, 4).toString('hex') === '1a45dfa3' ? 'video/webm' : undefined
}

/** Photos are fetched after the reply to the request. TikTok does not follow redirects. */
export async function fetchPhotos(context: PlatformContext, job: Job, urls: readonly string[], finish: Finish): Promise<void> {
  try {
    for (const url of urls) {
      const { ok, mime, bytes } = await fetchFile(url, { userAgent: 'TikTok', redirect: 'error' })
      if (!ok) job.failReason = 'photo_pull_failed'
      else if (!photos.includes(mime)) job.failReason = 'file_format_check_failed'
      else if (bytes.length > photoBytesMax) job.failReason = 'picture_size_check_failed'
      if (job.failReason !== undefined) return
      job.downloadedBytes += bytes.length
      const { account } = job
      const readyAtMs = context.now()
      job.media.push(context.simulator.media.add(context.name, { id: finish.nextId(), account, mime, bytes, alt: '', readyAtMs }))
    }
    job.readyAtMs = context.now() + context.settings.imageProcessingMs
    if (failProcessing(context, job)) return
    commit(context, job, finish)
  } catch {
    job.failReason = 'photo_pull_failed'
  }
}

/** Media that fails in processing is never published. The status shows the failure when processing ends. */
function failProcessing({ settings }: PlatformContext, job: Job): boolean {
  if (!settings.processingFails) return false
  job.failReason = 'internal'
  job.failsAtMs = job.readyAtMs
  return true
}

/** What a person has finished in the app by now. They write words of their own there, and post it for everyone. */
export function finishInbox(context: PlatformContext, jobs: readonly Job[], nextId: () => string): void {
  for (const job of jobs) {
    const atMs = job.isForInbox && !job.post && job.failReason === undefined ? finishedAtMs(job) : Infinity
    if (atMs <= context.now()) publish(context, job, { nextId, call: { arrivedAtMs: atMs, submit: undefined } })
  }
}

function commit(context: PlatformContext, job: Job, finish: Finish): void {
  if (!job.isForInbox) publish(context, job, finish)
}

function publish(context: PlatformContext, job: Job, { nextId, call }: Finish): void {
  const { account, media, isVideo, request } = job
  const text = job.isForInbox ? `Written in the app by ${account.handle}` : job.text
  const id = nextId()
  const url = `${context.origin}/@${account.handle}/${isVideo ? 'video' : 'photo'}/${id}`
  const head = { platform: context.name, id, account, text, url, replyTo: null, atMs: context.now(), deleted: false, media }
  const post: TikTokPost = { ...head, request, isPublic: job.privacy === 'PUBLIC_TO_EVERYONE', isVideo }
  job.post = post
  context.limits.charge(account, { limit: 'posts', cost: 1 }, context.now())
  context.commit(post, call)
}
