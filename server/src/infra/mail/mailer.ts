/** One e-mail, with the same content as text and as HTML. */
export type Mail = { to: string; subject: string; text: string; html: string }

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
