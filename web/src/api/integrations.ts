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

/** Which account is connected: on which server, and for a renewal the connection that must be the same account. */
export type ConnectTarget = { platform: string; instanceUrl?: string; connectionId?: string }

/** The address of the platform's consent page. From there the browser comes back to `returnTo` with `?attempt=<id>`. */
export async function startConnect(workspaceId: string, target: ConnectTarget, returnTo: string): Promise<string> {
  const { platform, ...rest } = target
  const path = `/integrations/${encodeURIComponent(platform)}/start`
  const { authorizeUrl } = await send<{ authorizeUrl: string }>(path, {
    method: 'POST',
    body: { ...rest, returnTo },
    workspaceId,
  })
  return authorizeUrl
}

/** Connects an account with the fields that its owner filled in, such as an app password. */
export function connectWithFields(
  workspaceId: string,
  { platform, ...rest }: ConnectTarget,
  fields: Record<string, string>,
): Promise<Connection> {
  const path = `/integrations/${encodeURIComponent(platform)}/password`
  return send<Connection>(path, { method: 'POST', body: { ...rest, fields }, workspaceId })
}

/** An account that came back from its platform: it waits for a person's confirmation, or says why it could not be connected. */
export type ConnectAttempt = {
  state: 'confirm' | 'connected' | 'failed'
  platform: string
  instanceUrl: string | null
  workspace: { id: string; name: string }
  account: { handle: string; displayName: string; avatarUrl: string | null } | null
  connectionId: string | null
  code: string | null
  message: string | null
  platformCode: string | null
  /** What the platform said; `message` may be ours. */
  platformMessage: string | null
  redirectUri: string
  scopesAsked: string[]
  scopesGranted: string[] | null
  missing: string[]
  traceId: string | null
  expiresAt: string
}

export function connectAttempt(attemptId: string) {
  return queryOptions({
    queryKey: ['integrations.attempt', attemptId],
    queryFn: ({ signal }) => send<ConnectAttempt>(`/integrations/attempts/${encodeURIComponent(attemptId)}`, { signal }),
  })
}

/** Stores the account as a connection. */
export function confirmConnect(attemptId: string): Promise<Connection> {
  return send<Connection>(`/integrations/attempts/${encodeURIComponent(attemptId)}/confirm`, { method: 'POST', body: {} })
}

/** The picture of an account, from the server's own copy: the page may not load pictures of other hosts. */
export function avatarAddress(workspaceId: string, { id, avatarUrl }: Pick<Connection, 'id' | 'avatarUrl'>): string | null {
  return avatarUrl === null ? null : `/api/workspaces/${workspaceId}/connections/${id}/avatar`
}
