import type { Account } from '../../state/accounts.ts'
import type { Media } from '../../state/media-store.ts'
import type { Post } from '../../state/posts.ts'

export type TikTokPost = Post & { isPublic: boolean; isVideo: boolean }

/** One publish, by its publish_id: from the first word to the post. */
export type Job = {
  id: string
  account: Account
  isVideo: boolean
  text: string
  privacy: string
  /** Of a video that is uploaded; the last piece takes what is left over. */
  upload: { sizeBytes: number; chunkBytes: number; chunkCount: number; urlExpiresAtMs: number; pieces: Buffer[] } | undefined
  downloadedBytes: number
  readyAtMs: number
  failReason: string | undefined
  media: Media[]
  post: TikTokPost | undefined
}

export function uploadedBytes({ upload }: Job): number {
  return upload?.pieces.reduce((sum, piece) => sum + piece.length, 0) ?? 0
}

export function statusOf(job: Job, nowMs: number): string {
  if (job.failReason !== undefined) return 'FAILED'
  if (job.readyAtMs <= nowMs) return 'PUBLISH_COMPLETE'
  return job.upload ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD'
}

/** A post for everyone has no public id before moderation is over, and a post for fewer never gets one. */
export function publicIdOf({ post, readyAtMs }: Job, moderationMs: number, nowMs: number): string | undefined {
  return post?.isPublic === true && readyAtMs + moderationMs <= nowMs ? post.id : undefined
}
