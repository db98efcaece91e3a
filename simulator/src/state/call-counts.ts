export type Operation = 'submit' | 'stage' | 'find' | 'check' | 'account' | 'token' | 'remove' | 'metrics' | 'other'

export type Tally = { platform: string; operation: Operation; count: number; firstAtMs: number; lastAtMs: number }

/** How often each operation was called, whatever came of it. */
export class Calls {
  readonly #tallies = new Map<string, Tally>()

  count(platform: string, operation: Operation, atMs: number): void {
    const key = `${platform} ${operation}`
    const tally = this.#tallies.get(key)
    if (tally) {
      tally.count += 1
      tally.lastAtMs = atMs
    } else this.#tallies.set(key, { platform, operation, count: 1, firstAtMs: atMs, lastAtMs: atMs })
  }

  all(): Tally[] {
    return [...this.#tallies.values()]
  }

  clear(): void {
    this.#tallies.clear()
  }
}
