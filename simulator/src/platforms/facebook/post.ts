import type { Account, Media, Post } from '../../state/entities.ts'
import type { Call } from '../../http/call.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

/** `mediaId` is the photo or video of a story, or the video of a post. */
export type FacebookPost = Post & {
  kind: 'feed' | 'video' | 'reel' | 'story'
  link: string | undefined
  mediaId: string | undefined
  comments: number
  /** Not all servers know a new post at once. */
  commentableAtMs: number
  /** A video is listed once it is converted. */
  listedAtMs: number
}

export type Photo = { media: Media; account: Account; uploadedAtMs: number; isUsed: boolean }

export type Video = {
  id: string
  sessionId: string
  account: Account
  edge: VideoEdge
  sizeBytes: number
  chunks: Buffer[]
  /** When the last call asked to publish it. */
  finishedAtMs: number | undefined
  readyAtMs: number
  isFailing: boolean
  post: FacebookPost | undefined
}
export type VideoEdge = 'videos' | 'video_reels' | 'video_stories'

export type Tables = {
  posts: Map<string, FacebookPost>
  photos: Map<string, Photo>
  videos: Map<string, Video>
  nextId: () => string
}

type Parts = Pick<FacebookPost, 'account' | 'text' | 'media' | 'kind'> &
  Partial<Pick<FacebookPost, 'link' | 'mediaId' | 'listedAtMs'>>

/** Publishes. The id of a post is that of the page and a number of its own. */
export function commitPost(context: PlatformContext, { posts, nextId }: Tables, call: Call, parts: Parts): FacebookPost {
  const own = nextId()
  const id = `${parts.account.id}_${own}`
  const path =
    parts.kind === 'reel'
      ? `reel/${parts.mediaId}`
      : parts.kind === 'story'
        ? `stories/${own}`
        : `${parts.account.handle}/posts/${own}`
  const post: FacebookPost = {
    link: undefined,
    mediaId: undefined,
    listedAtMs: context.now(),
    ...parts,
    platform: context.name,
    id,
    url: `${context.origin}/${path}`,
    replyTo: null,
    atMs: context.now(),
    deleted: false,
    request: call.fields ?? {},
    comments: 0,
    commentableAtMs: context.readyAtMs(),
  }
  posts.set(id, post)
  context.commit(post, call)
  return post
}
