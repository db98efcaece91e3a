import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { MailConfig } from '../../config.ts'
import { Disclosed } from '../log/redact-secrets.ts'

/** One e-mail, with the same content as text and as HTML. */
export type Mail = { to: string; subject: string; text: string; html: string; headers?: Readonly<Record<string, string>> }

/** Sends mail. `not_configured`: nothing was sent; the subject and the links are in the log. */
export type Mailer = {
  /** Throws `MailRefused` if the server rejects this mail; any other error may be temporary. */
  send(mail: Mail): Promise<'sent' | 'not_configured'>
  close(): void
}

/** The mail server rejected this mail permanently: trying again would not help. */
export class MailRefused extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'MailRefused'
  }
}

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends mail over SMTP. Without a mail server, each mail's links are logged instead, so that the operator can pass them on. */
export function createMailer(config: MailConfig | null, log: Logger): Mailer {
  if (config === null) {
    return {
      async send({ to, subject, text }) {
        const links = (text.match(/https?:\/\/\S+/g) ?? []).map((link) => new Disclosed(link))
        log.info({ to, subject, links }, 'mail is not configured; this one was not sent')
        return 'not_configured'
      },
      close() {},
    }
  }
  const { smtpUrl, from } = config
  // The content of a mail must never be read from a file or a URL.
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...limits,
  })
  return {
    async send({ to, subject, text, html, headers = {} }) {
      // An object is used as one address; a string would be parsed as a list.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html, headers }).catch(throwMailError)
      return 'sent'
    },
    close: () => transport.close(),
  }
}

/** A 5xx answer to the recipient or the content rejects this mail. A 5xx answer to our login or greeting is an error of the setup. */
function throwMailError(error: Error & { code?: string; responseCode?: number }): never {
  const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  throw isAboutMail && (error.responseCode ?? 0) >= 500 ? new MailRefused(error) : error
}
