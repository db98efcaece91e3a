/** One e-mail, the same words as text and as HTML. */
export type Mail = { to: string; subject: string; text: string; html: string }

/** How mail leaves. `not_configured`: nothing was sent, what it said is in the log. */
export type Mailer = {
  /** Throws `MailRefused` for a refusal of this mail; any other failure may pass. */
  send(mail: Mail): Promise<'sent' | 'not_configured'>
  close(): void
}

/** The mail server looked at this mail and said no: trying again would be no use. */
export class MailRefused extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'MailRefused'
  }
}
