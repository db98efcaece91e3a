import type { Account } from './accounts.ts'
import type { Media } from './media-store.ts'

export const figureNames = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const
export type Figures = Partial<Record<(typeof figureNames)[number], number>>

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
  /** Likes, shares and other figures, as far as a test set them. Comments are counted if a test did not set them. */
  figures?: Figures
}

/** Every published post, oldest first, deleted ones included. Tests count these. */
export class Posts {
  #all: Post[] = []

  commit(post: Post): void {
    this.#all.push(post)
    post.account.posts.push(post)
  }

  all(): readonly Post[] {
    return this.#all
  }

  clear(): void {
    for (const post of this.#all) post.account.posts.length = 0
    this.#all = []
  }
}
