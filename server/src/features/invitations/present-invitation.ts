import type { Invitation } from '@carillon/contract'
import type { InvitationRow } from './invitation.store.ts'

export function presentInvitation(row: InvitationRow, nowMs: number, link: string | null): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: invitationStatus(row, nowMs),
    mail: row.mail,
    link,
    invitedBy: row.invited_by,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

export function invitationStatus(row: Pick<InvitationRow, 'accepted_at' | 'expires_at'>, nowMs: number): Invitation['status'] {
  if (row.accepted_at !== null) return 'accepted'
  return row.expires_at.getTime() <= nowMs ? 'expired' : 'pending'
}
