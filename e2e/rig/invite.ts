import { get } from './call.ts'
import { lettersTo, letterTo, linkIn } from './mailbox.ts'

export type Invitation = {
  id: string
  email: string
  role: string
  status: string
  invitedBy: string
  expiresAt: string
  createdAt: string
}

/** Invites by e-mail and accepts with the link that was mailed. */
export async function inviteAndAccept(workspaceId: string, email: string, role: string): Promise<Invitation> {
  const before = await lettersTo(email)
  const invitation = await get<Invitation>(`POST /workspaces/${workspaceId}/invitations`, { body: { email, role } })
  const link = linkIn(await letterTo(email, 'invites you', before))
  const accepted = await fetch(link, { method: 'POST', headers: { accept: 'application/json' } })
  if (!accepted.ok) throw new Error(`the invitation was not accepted: ${await accepted.text()}`)
  return invitation
}
