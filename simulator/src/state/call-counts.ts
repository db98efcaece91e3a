export type Operation = 'submit' | 'stage' | 'find' | 'check' | 'account' | 'token' | 'remove' | 'metrics' | 'other'

export type CallCount = { platform: string; operation: Operation; count: number; firstAtMs: number; lastAtMs: number }

/** How often each operation was called, whether or not the call succeeded. */
export class CallCounts {
  readonly #counts = new Map<string, CallCount>()

  count(platform: string, operation: Operation, atMs: number): void {
    const key = `${platform} ${operation}`
    const entry = this.#counts.get(key)
    if (entry) {
      entry.count += 1
      entry.lastAtMs = atMs
    } else this.#counts.set(key, { platform, operation, count: 1, firstAtMs: atMs, lastAtMs: atMs })
  }

  all(): CallCount[] {
    return [...this.#counts.values()]
  }

  clear(): void {
    this.#counts.clear()
  }
}
