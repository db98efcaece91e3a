import type { Fields } from '../http/fields.ts'

/** Accounts, posts and media refer to each other, so their types are in one file. */
export type Account = {
  platform: string
  id: string
  handle: string
  password: string
  createdAtMs: number
  /** Oldest first. */
  posts: Post[]
  usageByLimit: Map<string, LimitUsage>
}

/** How much of a rate limit is used in the current window. */
export type LimitUsage = { used: number; resetAtMs: number }

/** The fields every platform's posts have. Each platform extends this type with its own. */
export type Post = {
  platform: string
  id: string
  account: Account
  text: string
  url: string
  replyTo: string | null
  atMs: number
  deleted: boolean
  media: readonly Media[]
  /** The fields of the request that described the post, as they arrived. Its page lists them. Comments have none. */
  request?: Fields
  /** Likes, shares and other figures, as far as a test set them. Comments are counted if a test did not set them. */
  figures?: Figures
}

export const figureNames = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const
export type Figures = Partial<Record<(typeof figureNames)[number], number>>

/** A person in a file. A point is a share of the width and the height, from the top left. */
export type Tag = { username: string; x?: number; y?: number }

export type Media = {
  id: string
  account: Account
  mime: string
  sizeBytes: number
  /** Absent for large files, to save memory; the feed shows a placeholder for them. */
  bytes: Buffer | undefined
  alt: string
  /** The URL the platform fetched the file from, if it received a URL instead of the bytes. */
  fetchedFrom?: string
  /** The people who are tagged, on platforms that have this. */
  tags?: readonly Tag[]
  readyAtMs: number
  /** Whether processing ends in a failure, at `readyAtMs`. */
  isFailing?: boolean
  attachedTo: string | undefined
}
