import type { Connection } from '@carillon/sdk'

/** The server's copy of an account's picture: its address does not run out, and no foreign server sees who looks at it. */
export function avatarAddress(workspaceId: string, { id, avatarUrl }: Connection): string | null {
  return avatarUrl === null ? null : `/api/workspaces/${workspaceId}/connections/${id}/avatar`
}
