import type { Connection } from '@carillon/sdk'
import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

/** The platforms that the simulator stands in for on this install. Empty on a real one. */
export function simulatedPlatforms() {
  return queryOptions({
    queryKey: ['integrations.simulated'],
    queryFn: async ({ signal }) => (await send<{ platforms: string[] }>('/integrations/simulated', { signal })).platforms,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Connects an account on every simulated platform. Those that are connected already stay as they are. */
export function connectSimulated(workspaceId: string): Promise<Connection[]> {
  return send<Connection[]>('/integrations/simulated', { method: 'POST', body: {}, workspaceId })
}
