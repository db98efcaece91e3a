const key = 'carillon.workspace'

/** The workspace that was open last in this browser. */
export function readLastWorkspace(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function storeLastWorkspace(id: string): void {
  try {
    localStorage.setItem(key, id)
  } catch {
    // Storage is blocked: the first workspace is opened next time.
  }
}
