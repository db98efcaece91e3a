import { testStack } from '../test-stack.ts'
import { callData } from './call.ts'
import { findLink, findMails, waitForMail } from './mailbox.ts'

export type Invitation = {
  id: string
  email: string
  role: string
  status: string
  invitedBy: string
  expiresAt: string
  createdAt: string
}

/** Invites a person by mail, with the key of the workspace, and accepts with the link in that mail. */
export async function inviteAndAccept(
  workspaceId: string,
  email: string,
  role: string,
  key: string = testStack.apiKey,
): Promise<Invitation> {
  const before = await findMails(email)
  const invitation = await callData<Invitation>(`POST /workspaces/${workspaceId}/invitations`, { body: { email, role }, key })
  const link = findLink(await waitForMail(email, 'invites you', before))
  const accepted = await fetch(link, { method: 'POST', headers: { accept: 'application/json' } })
  if (!accepted.ok) throw new Error(`the invitation was not accepted: ${await accepted.text()}`)
  return invitation
}
