import type { Fields } from '../../http/fields.ts'
import type { Account, Media, Post } from '../../state/entities.ts'

export type TikTokPost = Post & { isPublic: boolean; isVideo: boolean }

/** One publication with its publish_id, from the first request to the published post. */
export type Job = {
  id: string
  account: Account
  isVideo: boolean
  text: string
  privacy: string
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

export function statusOf(job: Job, nowMs: number): string {
  if (job.failReason !== undefined && job.failsAtMs <= nowMs) return 'FAILED'
  if (job.failReason === undefined && job.readyAtMs <= nowMs) return 'PUBLISH_COMPLETE'
  return job.upload ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD'
}

/** A post for everyone gets its public id after moderation. A post for a smaller audience never gets one. */
export function publicIdOf({ post, readyAtMs }: Job, moderationMs: number, nowMs: number): string | undefined {
  return post?.isPublic === true && readyAtMs + moderationMs <= nowMs ? post.id : undefined
}
