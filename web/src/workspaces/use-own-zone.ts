import { useQuery } from '@tanstack/react-query'
import { meGet } from '../api/queries.gen.ts'
import { browserZone } from '../time/format-time.ts'

/** The zone of the person: the one in their settings, otherwise that of the browser. */
export function useOwnZone(): string {
  const { data: me } = useQuery({ ...meGet(), staleTime: Number.POSITIVE_INFINITY })
  return me?.timezone ?? browserZone()
}
