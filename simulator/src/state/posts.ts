import type { Post } from './entities.ts'

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

  /** Replaces the list. The accounts already have their posts. */
  restore(all: Post[]): void {
    this.#all = all
  }

  clear(): void {
    for (const post of this.#all) post.account.posts.length = 0
    this.#all = []
  }
}
