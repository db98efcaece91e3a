import { randomBytes } from 'node:crypto'
import type { Post } from './posts.ts'
import type { Meter } from './limits.ts'

export type Account = {
  platform: string
  id: string
  handle: string
  password: string
  createdAtMs: number
  /** Oldest first. */
  posts: Post[]
  meters: Map<string, Meter>
}

/** The accounts of one platform, found by handle or by the id the platform gave them. */
export class Accounts {
  readonly #platform: string
  readonly #byHandle = new Map<string, Account>()
  readonly #byId = new Map<string, Account>()

  constructor(platform: string) {
    this.#platform = platform
  }

  /** An existing handle is answered as it is, so that tests may ask for the same account again. */
  open(handle: string, { id, atMs }: { id: () => string; atMs: number }): Account {
    const known = this.#byHandle.get(handle)
    if (known) return known
    const account: Account = {
      platform: this.#platform,
      id: id(),
      handle,
      password: randomBytes(8).toString('hex'),
      createdAtMs: atMs,
      posts: [],
      meters: new Map(),
    }
    this.#byHandle.set(handle, account)
    this.#byId.set(account.id, account)
    return account
  }

  find(handle: string): Account | undefined {
    return this.#byHandle.get(handle)
  }

  findById(id: string): Account | undefined {
    return this.#byId.get(id)
  }

  all(): Account[] {
    return [...this.#byHandle.values()]
  }

  clear(): void {
    this.#byHandle.clear()
    this.#byId.clear()
  }
}
