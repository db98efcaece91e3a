import { browserZone } from '../time/format-time.ts'
import { useMe } from './use-me.ts'

/** The zone of the person: the one in their settings, otherwise that of the browser. */
export function useOwnZone(): string {
  const me = useMe()
  return me?.timezone ?? browserZone()
}
