import type { Invitation, Role } from '@carillon/contract'
import type { Instant, MaybeInstant } from './columns.ts'

export type InvitationTable = {
  workspace_id: string
  id: string
  email: string
  role: Role
  token_hash: Buffer
  invited_by: string
  mail: Invitation['mail']
  expires_at: Instant
  accepted_at: MaybeInstant
  created_at: Instant
}

export type OutgoingMailTable = {
  id: string
  workspace_id: string | null
  invitation_id: string | null
  letter_sealed: Buffer
  attempts: number
  due_at: Instant
  ends_at: Instant
}
