import type { Role } from '@carillon/sdk'
import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

type Offer = {
  workspace: string
  email: string
  role: Role
  invitedBy: string | null
  expiresAt: string
  /** The invited person has no way to sign in yet, and chooses a password when they accept. */
  needsPassword: boolean
}

type Joined = { workspaceId: string; workspace: string; userId: string; role: Role; next: 'signed_in' | 'sign_in' }

const pathOf = (token: string) => `/invitations/accept?token=${encodeURIComponent(token)}`

export function invitationOffer(token: string) {
  return queryOptions({
    queryKey: ['invitations.offer', token],
    queryFn: ({ signal }) => send<Offer>(pathOf(token), { signal }),
  })
}

export function acceptInvitation(token: string, body: { name?: string; password?: string }): Promise<Joined> {
  return send<Joined>(pathOf(token), { method: 'POST', body })
}
