import type { Fields } from '../../http/fields.ts'
import type { Account, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

export type Video = Post & {
  title: string
  privacy: string
  isMadeForKids: boolean
  readyAtMs: number
  isFailing: boolean
  snippet: Fields
  status: Fields
}

/** One resumable upload, from the request that opens it to the answer for its last byte. */
export type UploadSession = {
  id: string
  account: Account
  resource: Fields
  mime: string
  sizeBytes: number
  chunks: Buffer[]
  openedAtMs: number
  videoId: string | undefined
}

export function storedBytes({ chunks }: UploadSession): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}

/** The uploads of a channel are a playlist whose id differs from that of the channel in its second letter. */
export function uploadsOf({ id }: Account): string {
  return id.replace(/^UC/, 'UU')
}

export function viewVideo(context: PlatformContext, video: Video): Fields {
  const isReady = video.readyAtMs <= context.now()
  // The answer to an upload says what was asked for. The lock shows later.
  const isLocked = isReady && context.settings.audited === false
  const { figures = {} } = video
  const comments = video.account.posts.filter((post) => post.replyTo === video.id && !post.deleted).length
  return {
    kind: 'youtube#video',
    id: video.id,
    snippet: {
      ...video.snippet,
      title: video.title,
      description: video.text,
      channelId: video.account.id,
      publishedAt: new Date(video.atMs).toISOString(),
    },
    status: {
      ...video.status,
      privacyStatus: isLocked ? 'private' : video.privacy,
      uploadStatus: isReady ? (video.isFailing ? 'failed' : 'processed') : 'uploaded',
      ...(isReady && video.isFailing && { failureReason: 'conversion' }),
    },
    processingDetails: { processingStatus: isReady ? (video.isFailing ? 'failed' : 'succeeded') : 'processing' },
    // YouTube writes numbers as texts.
    statistics: {
      viewCount: String(figures.impressions ?? 0),
      likeCount: String(figures.likes ?? 0),
      favoriteCount: '0',
      commentCount: String(figures.comments ?? comments),
    },
  }
}
