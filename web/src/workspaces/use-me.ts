import type { Me } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { meGet } from '../api/queries.gen.ts'
import { browserZone } from '../time/format-time.ts'

/** The person who is signed in; undefined until the answer is there. It is loaded again only when the person changes it. */
export function useMe(): Me | undefined {
  return useQuery({ ...meGet(), staleTime: Number.POSITIVE_INFINITY }).data
}

/** The zone of the person: the one in their settings, otherwise that of the browser. */
export function useOwnZone(): string {
  const me = useMe()
  return me?.timezone ?? browserZone()
}
