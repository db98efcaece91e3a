import type { Fields } from '../../http/fields.ts'
import type { Account, Media, Post } from '../../state/entities.ts'

/** Such a person finishes what waits in the inbox only after this time. */
const lateMs = 3_600_000
/** What waits counts for so long. */
const pendingMs = 86_400_000

export type TikTokPost = Post & { isPublic: boolean; isVideo: boolean }

/** One publication with its publish_id, from the first request to the published post. */
export type Job = {
  id: string
  account: Account
  isVideo: boolean
  text: string
  privacy: string
  /** Put into the inbox of the app, where a person finishes it. */
  isForInbox: boolean
  openedAtMs: number
  /** The fields of the request that started it. */
  request: Fields
  /** The upload of a video. The last chunk also contains the remainder. */
  upload: { sizeBytes: number; chunkBytes: number; chunkCount: number; urlExpiresAtMs: number; chunks: Buffer[] } | undefined
  downloadedBytes: number
  readyAtMs: number
  failReason: string | undefined
  /** When the failure shows in the status. */
  failsAtMs: number
  media: Media[]
  post: TikTokPost | undefined
}

export function uploadedBytes({ upload }: Job): number {
  return upload?.chunks.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0
}

/** When the person finishes it. The name of the account says whether that is at once, late or never. */
export function finishedAtMs({ account: { handle }, readyAtMs }: Job): number {
  if (handle.startsWith('never-')) return Infinity
  return handle.startsWith('late-') ? readyAtMs + lateMs : readyAtMs
}

/** Whether it waits in the inbox and counts there. */
export function isPending({ isForInbox, post, failReason, openedAtMs }: Job, nowMs: number): boolean {
  return isForInbox && !post && failReason === undefined && openedAtMs + pendingMs > nowMs
}

export function statusOf(job: Job, nowMs: number): string {
  if (job.failReason !== undefined && job.failsAtMs <= nowMs) return 'FAILED'
  const isReady = job.failReason === undefined && job.readyAtMs <= nowMs
  if (isReady) return job.isForInbox && finishedAtMs(job) > nowMs ? 'SEND_TO_USER_INBOX' : 'PUBLISH_COMPLETE'
  return job.upload ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD'
}

/** A post for everyone gets its public id after moderation. A post for a smaller audience never gets one. */
export function publicIdOf(job: Job, moderationMs: number, nowMs: number): string | undefined {
  const { post, readyAtMs } = job
  const sinceMs = job.isForInbox ? finishedAtMs(job) : readyAtMs
  return post?.isPublic === true && sinceMs + moderationMs <= nowMs ? post.id : undefined
}
