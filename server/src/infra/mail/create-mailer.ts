import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { MailConfig } from '../../config.ts'
import { MailRefused, type Mailer } from './mailer.ts'

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends by SMTP. An install without a mail server writes each mail to its log instead, so that whoever runs it can pass the link on. */
export function createMailer(config: MailConfig | null, log: Logger): Mailer {
  if (config === null) {
    return {
      async send({ to, subject, text }) {
        log.info({ to, subject, links: text.match(/https?:\/\/\S+/g) ?? [] }, 'mail is not configured; this one was not sent')
        return 'not_configured'
      },
      close() {},
    }
  }
  const { smtpUrl, from } = config
  // A mail is only ever what we wrote: nothing in it may be read from a file or an address.
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...limits,
  })
  return {
    async send({ to, subject, text, html }) {
      // As an object the address is taken as it is; as a string it would be read as a list.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html }).catch(explain)
      return 'sent'
    },
    close: () => transport.close(),
  }
}

/** A 5xx to the recipient or the content is about this mail; one to our password or greeting is about us, and somebody may mend it. */
function explain(error: Error & { code?: string; responseCode?: number }): never {
  const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  throw isAboutMail && (error.responseCode ?? 0) >= 500 ? new MailRefused(error) : error
}
