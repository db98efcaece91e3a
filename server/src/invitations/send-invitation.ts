import type { Role } from '@carillon/contract'
import type { Context } from '../context.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { updateMail, type InvitationRow } from './invitation.store.ts'

type Key = { workspaceId: string; id: string }
type Letter = { email: string; role: Role; token: string; workspace: string; inviter: string }

/** Sends the link and writes down what became of it. Never throws: the invitation stands, with or without its mail. */
export async function sendInvitation(ctx: Context, key: Key, letter: Letter): Promise<void> {
  const state = await send(ctx, key, letter)
  try {
    await ctx.db.tenant(key.workspaceId, (tx) => updateMail(tx, key, state))
  } catch (err) {
    ctx.log.warn({ err, invitation: key.id }, 'it could not be noted what became of an invitation mail')
  }
}

async function send(ctx: Context, { id }: Key, letter: Letter): Promise<InvitationRow['mail']> {
  const { email, role, token, workspace, inviter } = letter
  try {
    return await ctx.mail.send(
      composeMail({
        to: email,
        subject: `${inviter} invites you to ${workspace}`,
        paragraphs: [
          `${inviter} invites you to join the workspace “${workspace}” on Carillon as ${role}.`,
          'The link lasts seven days. If you did not expect this, you can ignore it.',
        ],
        link: { label: 'Accept the invitation', url: `${ctx.config.publicUrl}/invitations/accept?token=${token}` },
      }),
    )
  } catch (err) {
    ctx.log.warn({ err, invitation: id }, 'an invitation mail could not be sent')
    return 'failed'
  }
}
