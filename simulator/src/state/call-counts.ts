export type Operation = 'submit' | 'stage' | 'find' | 'check' | 'account' | 'token' | 'remove' | 'metrics' | 'other'

/** `account`: the handle; null for calls without a known account, and where the calls of all accounts are counted together. */
export type CallCount = {
  platform: string
  account: string | null
  operation: Operation
  count: number
  firstAtMs: number
  lastAtMs: number
}

type CountedCall = Pick<CallCount, 'platform' | 'account' | 'operation'> & { atMs: number }

/** How often each operation was called, whether or not the call succeeded. */
export class CallCounts {
  readonly #counts = new Map<string, CallCount>()
  readonly #byAccount = new Map<string, CallCount>()

  count({ platform, account, operation, atMs }: CountedCall): void {
    add(this.#counts, `${platform} ${operation}`, { platform, account: null, operation, atMs })
    add(this.#byAccount, `${platform} ${operation} ${account}`, { platform, account, operation, atMs })
  }

  all(): CallCount[] {
    return [...this.#counts.values()]
  }

  allByAccount(): CallCount[] {
    return [...this.#byAccount.values()]
  }

  clear(): void {
    this.#counts.clear()
    this.#byAccount.clear()
  }
}

function add(counts: Map<string, CallCount>, key: string, { atMs, ...call }: CountedCall): void {
  const entry = counts.get(key)
  if (entry) {
    entry.count += 1
    entry.lastAtMs = atMs
  } else counts.set(key, { ...call, count: 1, firstAtMs: atMs, lastAtMs: atMs })
}
