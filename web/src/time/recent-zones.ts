const key = 'carillon.zones'
const keptMax = 5

/** The zones that were chosen last in this browser, the newest first. */
export function readRecentZones(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

export function storeRecentZone(zone: string): void {
  try {
    localStorage.setItem(key, JSON.stringify([zone, ...readRecentZones().filter((each) => each !== zone)].slice(0, keptMax)))
  } catch {
    // Storage is blocked: no zone is offered first next time.
  }
}
