import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { world } from '../world.ts'
import { get } from './call.ts'

export type Invitation = {
  id: string
  email: string
  role: string
  status: string
  invitedBy: string
  expiresAt: string
  createdAt: string
}

/** Invites by e-mail and accepts with the link; an install without mail writes the link to its log. */
export async function inviteAndAccept(workspaceId: string, email: string, role: string): Promise<Invitation> {
  const invitation = await get<Invitation>(`POST /workspaces/${workspaceId}/invitations`, { body: { email, role } })
  const link = await linkTo(email)
  const accepted = await fetch(link, { method: 'POST', headers: { accept: 'application/json' } })
  if (!accepted.ok) throw new Error(`the invitation was not accepted: ${await accepted.text()}`)
  return invitation
}

async function linkTo(email: string): Promise<string> {
  for (let n = 0; n < 50; n++) {
    const log = await readFile(join(world.dir, 'logs', 'carillon-all.log'), 'utf8')
    const line = log.split('\n').findLast((each) => each.includes(`"to":"${email}"`) && each.includes('/invitations/accept'))
    const link = /https?:[^"]*\/invitations\/accept\?token=[\w-]+/.exec(line ?? '')
    if (link) return link[0]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no invitation for ${email} in the log`)
}
