import { Accounts } from './accounts.ts'
import type { Post } from './entities.ts'
import { createRandom } from './create-random.ts'
import { Limits, type Limit } from './limits.ts'
import { commonSettings, type PlatformSettings } from './platform-settings.ts'
import type { SimulatorState } from './simulator-state.ts'
import type { SubmitSource } from './submits.ts'
import { Tokens } from './tokens.ts'

const randomSeed = 1

type Table = { rows: Map<string, unknown>; isClearedWithPosts: boolean }

/** The state of one platform, and its access to the state all platforms share. */
export class PlatformContext {
  readonly name: string
  readonly simulator: SimulatorState
  readonly accounts: Accounts
  readonly tokens = new Tokens()
  readonly limits: Limits
  settings: PlatformSettings
  /** The last number that `nextNumber` returned. */
  lastNumber = 0
  readonly #ownSettings: Partial<PlatformSettings>
  readonly #tables = new Map<string, Table>()
  #random = createRandom(randomSeed)

  /** `ownSettings` are the defaults of the settings that only some platforms have. */
  constructor(
    name: string,
    simulator: SimulatorState,
    { limits, settings = {} }: { limits: Record<string, Limit>; settings?: Partial<PlatformSettings> },
  ) {
    this.name = name
    this.simulator = simulator
    this.accounts = new Accounts(name)
    this.limits = new Limits(limits)
    this.#ownSettings = settings
    this.settings = { ...commonSettings, ...settings }
  }

  get origin(): string {
    return `${this.simulator.url}/${this.name}`
  }

  /** Is this the developer app that is registered? Without one, every app is. A missing part counts as wrong only if one is registered. */
  acceptsApp(clientId: string | undefined, clientSecret: string | undefined): boolean {
    const { app = null } = this.settings
    return app === null || (app.clientId === clientId && app.clientSecret === clientSecret)
  }

  /** Does the registered app have this redirect URI, letter by letter? */
  acceptsRedirect(clientId: string, redirectUri: string): boolean {
    const { app = null } = this.settings
    return app === null || (app.clientId === clientId && app.redirectUris.includes(redirectUri))
  }

  avatarUrlOf(handle: string): string {
    return `${this.simulator.url}/avatar/${encodeURIComponent(handle)}.png`
  }

  now(): number {
    return this.simulator.now()
  }

  /** Counts up, also over restarts if the simulator stores its data, so that ids stay unique. */
  nextNumber(): number {
    this.lastNumber += 1
    return this.lastNumber
  }

  /** A map for a platform's own records, stored under this name. */
  createTable<T>(name: string, { isClearedWithPosts = true }: { isClearedWithPosts?: boolean } = {}): Map<string, T> {
    const rows = new Map<string, T>()
    this.#tables.set(name, { rows, isClearedWithPosts })
    return rows
  }

  tables(): Map<string, Map<string, unknown>> {
    return new Map([...this.#tables].map(([name, { rows }]) => [name, rows]))
  }

  /** The lifetime of a new access token. */
  accessLifetimeMs(documentedMs: number): number {
    const { accessTokenSeconds } = this.settings
    return accessTokenSeconds === null ? documentedMs : accessTokenSeconds * 1000
  }

  /** Whether lists and lookups show the post yet. */
  isVisible({ atMs }: Pick<Post, 'atMs'>): boolean {
    const { readDelayMs } = this.settings
    return readDelayMs === 0 || atMs + readDelayMs <= this.now()
  }

  /** When an object that is created now is ready. The periods differ, but are the same in every run. */
  readyAtMs(processingMs = 0): number {
    const { notReadyMs } = this.settings
    return this.now() + Math.max(processingMs, notReadyMs * (0.4 + 0.6 * this.#random()))
  }

  commit(post: Post, { arrivedAtMs, submit }: SubmitSource): void {
    this.simulator.posts.commit(post)
    if (submit) submit.postId = post.id
    if (this.simulator.recording.on) this.simulator.recording.add(post, arrivedAtMs)
  }

  /** Searches the newest posts first, deleted ones included. It reads the whole list, so it is for pages, not for the platforms' APIs. */
  findPost(isWanted: (post: Post) => boolean): Post | undefined {
    return this.simulator.posts.all().findLast((post) => post.platform === this.name && isWanted(post))
  }

  clearPosts(): void {
    for (const { rows, isClearedWithPosts } of this.#tables.values()) if (isClearedWithPosts) rows.clear()
  }

  reset(): void {
    this.clearPosts()
    this.accounts.clear()
    this.tokens.clear()
    this.limits.reset()
    this.settings = { ...commonSettings, ...this.#ownSettings }
    this.#random = createRandom(randomSeed)
  }
}
