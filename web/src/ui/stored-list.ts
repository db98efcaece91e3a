/** A list of texts that this browser keeps; empty where there is none, or where the storage is blocked. */
export function readStoredList(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** Without storage nothing is kept: it only saves a choice the next time. */
export function storeList(key: string, list: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(list))
  } catch {
    // Full, or blocked.
  }
}
