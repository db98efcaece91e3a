import type { Connection, PlatformInfo } from '@carillon/sdk'

/** The server's copy of an account's picture: its address does not run out, and no foreign server sees who looks at it. */
export function avatarAddress(
  workspaceId: string,
  { id, avatarUrl }: Connection,
  platform: PlatformInfo | undefined,
): string | null {
  // The pictures of simulated accounts are drawings, of which the server makes no copies.
  if (avatarUrl === null || platform === undefined || platform.connect.simulated) return null
  return `/api/workspaces/${workspaceId}/connections/${id}/avatar`
}
