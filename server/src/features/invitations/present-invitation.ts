import type { Invitation } from '@carillon/contract'
import type { InvitationRow } from './invitation.store.ts'

type PresentedRow = Omit<InvitationRow, 'token_hash' | 'workspace_id'>

export function presentInvitation(row: PresentedRow, nowMs: number): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: invitationStatus(row, nowMs),
    mail: row.mail,
    invitedBy: row.invited_by,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

export function invitationStatus(row: Pick<InvitationRow, 'accepted_at' | 'expires_at'>, nowMs: number): Invitation['status'] {
  if (row.accepted_at !== null) return 'accepted'
  return row.expires_at.getTime() <= nowMs ? 'expired' : 'pending'
}
