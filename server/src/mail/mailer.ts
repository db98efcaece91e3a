/** One e-mail, the same words as text and as HTML. */
export type Mail = { to: string; subject: string; text: string; html: string }

/** How mail leaves. `not_configured`: nothing was sent, what it said is in the log. */
export type Mailer = {
  send(mail: Mail): Promise<'sent' | 'not_configured'>
  close(): void
}
