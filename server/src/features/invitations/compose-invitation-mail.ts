import type { Role } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { composeMail } from '../../infra/mail/compose-mail.ts'
import { cleanName } from './clean-name.ts'
import { invitationLink } from './invitation-link.ts'
import type { Mail } from '../../infra/mail/mailer.ts'

type InvitationMail = { email: string; role: Role; token: string; workspace: string; inviter: string }

export function composeInvitationMail({ config }: Context, { email, role, token, ...names }: InvitationMail): Mail {
  const workspace = cleanName(names.workspace, 'a workspace')
  const inviter = cleanName(names.inviter, 'A member')
  return composeMail({
    operator: config.operator,
    to: email,
    subject: `${inviter} invites you to ${workspace}`,
    paragraphs: [
      `${inviter} invites you to join the workspace “${workspace}” on ${config.operator.name} as ${role}.`,
      'The link works for seven days. If you did not expect this invitation, you can ignore this mail.',
    ],
    link: { label: 'Accept the invitation', url: invitationLink(config, token) },
  })
}
