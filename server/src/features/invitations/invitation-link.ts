import { scopesAllow } from '@carillon/core'
import { workspaces } from '@carillon/contract'
import type { Config } from '../../config.ts'
import { cellQuery } from '../../infra/db/cell-query.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { InvitationRow } from './invitation.store.ts'
import { findToken } from './invitation-token.ts'
import { invitationStatus } from './present-invitation.ts'

export function invitationLink(config: Config, token: string): string {
  return `${config.publicUrl}/join?token=${token}${cellQuery(config)}`
}

/**
 * The link, for the inviter to pass on. Only where no mail is sent: opening a mailed link proves that the address is the person's own, and
 * an inviter who knew it could create an account with the address of somebody else. Other members could take a role above their own with
 * it, and a key that only reads must not become a way to join.
 */
export function shownLink({ ctx: { config }, principal, nowMs }: RequestScope, row: InvitationRow): string | null {
  const { personId, limits } = principal
  if (config.mail !== null || row.invited_by !== personId || invitationStatus(row, nowMs) !== 'pending') return null
  if (!scopesAllow(limits.scopes, workspaces.invite.scope)) return null
  const token = findToken(config.secretKeys, { workspaceId: row.workspace_id, id: row.id }, row.token_hash)
  return token === null ? null : invitationLink(config, token)
}
