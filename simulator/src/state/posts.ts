import type { Account } from './accounts.ts'
import type { Media } from './media-store.ts'

export const figureNames = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const
export type Figures = Partial<Record<(typeof figureNames)[number], number>>

/** What every platform keeps of a post. A platform's own record extends this one. */
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
  /** What the audience did, as far as a test says so; comments are otherwise counted. */
  figures?: Figures
}

/** Every post ever committed, oldest first: the evidence that tests count. */
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
