import { verifyMailServer } from '../../../infra/mail/verify-mail-server.ts'
import { fail, ok, warn, type Check } from '../check.ts'

export const mail: Check = {
  name: 'mail',
  async run({ config }) {
    if (config.mail === null)
      return warn(
        'No mail is sent: invitations and links to reset a password are only in the log.',
        'Set CARILLON_SMTP_URL and CARILLON_MAIL_FROM.',
      )
    const { host } = new URL(config.mail.smtpUrl)
    const problem = await verifyMailServer(config.mail)
    if (problem === null) return ok(`The mail server ${host} accepts the login.`)
    return fail(`The mail server ${host} cannot be used: ${problem}.`, 'Correct CARILLON_SMTP_URL, or start the mail server.')
  },
}
