import { randomBytes } from 'node:crypto'
import type { Account } from './entities.ts'

/** The accounts of one platform, by handle and by id. */
export class Accounts {
  readonly #platform: string
  readonly #byHandle = new Map<string, Account>()
  readonly #byId = new Map<string, Account>()

  constructor(platform: string) {
    this.#platform = platform
  }

  /** Returns the existing account if there is one, so that tests can open the same account again. */
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
      usageByLimit: new Map(),
    }
    this.add(account)
    return account
  }

  add(account: Account): void {
    this.#byHandle.set(account.handle, account)
    this.#byId.set(account.id, account)
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
