import { Accounts } from './accounts.ts'
import type { Post } from './entities.ts'
import { Limits, type Limit } from './limits.ts'
import type { SimulatorState } from './simulator-state.ts'
import { Tokens } from './tokens.ts'

const defaultProcessingMs = 500

/** The state of one platform, and its access to the state all platforms share. */
export class PlatformContext {
  readonly name: string
  readonly simulator: SimulatorState
  readonly accounts: Accounts
  readonly tokens = new Tokens()
  readonly limits: Limits
  /** A delay added to every reply, to simulate a distant or busy platform. */
  latencyMs = 0
  /** How long a video takes to become ready. */
  processingMs = defaultProcessingMs
  readonly #tables: Map<string, unknown>[] = []

  constructor(name: string, simulator: SimulatorState, limits: Record<string, Limit>) {
    this.name = name
    this.simulator = simulator
    this.accounts = new Accounts(name)
    this.limits = new Limits(limits)
  }

  get origin(): string {
    return `${this.simulator.url}/${this.name}`
  }

  avatarUrlOf(handle: string): string {
    return `${this.simulator.url}/avatar/${encodeURIComponent(handle)}.svg`
  }

  now(): number {
    return this.simulator.now()
  }

  /** A map for a platform's own records. It is cleared together with the posts. */
  createTable<T>(): Map<string, T> {
    const shelf = new Map<string, T>()
    this.#tables.push(shelf)
    return shelf
  }

  commit(post: Post, arrivedAtMs: number): void {
    this.simulator.posts.commit(post)
    if (this.simulator.recording.on) this.simulator.recording.add(post, arrivedAtMs)
  }

  clearPosts(): void {
    for (const shelf of this.#tables) shelf.clear()
  }

  reset(): void {
    this.clearPosts()
    this.accounts.clear()
    this.tokens.clear()
    this.limits.reset()
    this.latencyMs = 0
    this.processingMs = defaultProcessingMs
  }
}
