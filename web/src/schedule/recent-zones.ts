import { readStoredList, storeList } from '../ui/stored-list.ts'

const key = 'carillon.zones'
const keptMax = 5

/** The zones that were chosen last in this browser, the newest first. */
export function readRecentZones(): string[] {
  return readStoredList(key)
}

export function storeRecentZone(zone: string): void {
  storeList(key, [zone, ...readRecentZones().filter((each) => each !== zone)].slice(0, keptMax))
}
