import { Accounts } from './accounts.ts'
import { Limits, type Limit } from './limits.ts'
import type { Post } from './posts.ts'
import { Tokens } from './tokens.ts'
import type { World } from './simulator-state.ts'

const processingMsUsual = 500

/** One platform's part of the world. */
export class Realm {
  readonly name: string
  readonly world: World
  readonly accounts: Accounts
  readonly tokens = new Tokens()
  readonly limits: Limits
  /** Added to every answer: a far or busy platform. */
  latencyMs = 0
  /** How long a video takes to become ready. */
  processingMs = processingMsUsual
  readonly #shelves: Map<string, unknown>[] = []

  constructor(name: string, world: World, limits: Record<string, Limit>) {
    this.name = name
    this.world = world
    this.accounts = new Accounts(name)
    this.limits = new Limits(limits)
  }

  get origin(): string {
    return `${this.world.url}/${this.name}`
  }

  now(): number {
    return this.world.now()
  }

  /** A platform's own memory of posts, emptied together with the posts. */
  shelf<T>(): Map<string, T> {
    const shelf = new Map<string, T>()
    this.#shelves.push(shelf)
    return shelf
  }

  commit(post: Post, arrivedAtMs: number): void {
    this.world.posts.commit(post)
    if (this.world.recording.on) this.world.recording.add(post, arrivedAtMs)
  }

  clearPosts(): void {
    for (const shelf of this.#shelves) shelf.clear()
  }

  reset(): void {
    this.clearPosts()
    this.accounts.clear()
    this.tokens.clear()
    this.limits.reset()
    this.latencyMs = 0
    this.processingMs = processingMsUsual
  }
}
