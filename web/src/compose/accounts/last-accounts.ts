const key = (workspaceId: string) => `carillon.accounts.${workspaceId}`

/** The accounts of the last post from this browser: the next one usually goes to the same. */
export function readLastAccounts(workspaceId: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(workspaceId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((slug) => typeof slug === 'string') : []
  } catch {
    return []
  }
}

export function storeLastAccounts(workspaceId: string, accounts: readonly string[]): void {
  try {
    localStorage.setItem(key(workspaceId), JSON.stringify(accounts))
  } catch {
    // Without storage, the next post begins without accounts.
  }
}
