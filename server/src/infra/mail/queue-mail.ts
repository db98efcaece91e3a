import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database, Db, Tx } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { escapeHtml } from '../html/render-page.ts'
import { open, seal } from '../sealing/seal.ts'
import type { Mail, Mailer } from './mailer.ts'
import { type OutgoingMailRow, insertMail } from './outgoing-mail.store.ts'

/** The part of the context that sending mail needs. */
export type MailContext = {
  config: Pick<Config, 'secretKeys'>
  db: Database
  mail: Mailer
  log: Logger
  nowMs(): number
}

type QueuedMail = {
  mail: Mail
  /** After this time the mail is not tried again. */
  lastsMs: number
  /** The invitation that shows whether the mail was sent. Deleting the invitation deletes the mail. */
  invitation?: { workspaceId: string; id: string }
  waitMs?: number
}

const placeOf = (id: string) => ({ workspaceId: '', rowId: id, column: 'letter' })

/** Queues a mail in the caller's transaction. It is tried until a mail server accepts it. */
export async function queueMail(
  { config, nowMs }: Pick<MailContext, 'config' | 'nowMs'>,
  db: Db | Tx,
  { mail, lastsMs, invitation, waitMs = 0 }: QueuedMail,
): Promise<void> {
  const id = newId(nowMs())
  await insertMail(db, {
    id,
    workspace_id: invitation?.workspaceId ?? null,
    invitation_id: invitation?.id ?? null,
    letter_sealed: seal(config.secretKeys, placeOf(id), JSON.stringify(mail)),
    attempts: 0,
    due_at: new Date(nowMs() + waitMs),
    ends_at: new Date(nowMs() + lastsMs),
  })
}

export function openMail({ config }: Pick<MailContext, 'config'>, { id, letter_sealed }: OutgoingMailRow): Mail {
  return JSON.parse(open(config.secretKeys, placeOf(id), letter_sealed))
}

type MailContent = {
  to: string
  subject: string
  paragraphs: readonly string[]
  link: { label: string; url: string }
  operator: { name: string; contact: string | null }
}

/** A plain mail with one link and the operator's name at its end, readable in any mail program. */
export function composeMail({ to, subject, paragraphs, link, operator }: MailContent): Mail {
  const url = escapeHtml(link.url)
  const lines = paragraphs.map(oneLine)
  const sender = operator.contact === null ? operator.name : `${operator.name} · ${operator.contact}`
  const html = [
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    `<p><a href="${url}">${escapeHtml(link.label)}</a></p>`,
    `<p>If the link does not open, copy this address: ${url}</p>`,
    `<p>${escapeHtml(sender)}</p>`,
  ]
  return {
    to,
    subject: oneLine(subject),
    text: [...lines, `${link.label}: ${link.url}`, sender].join('\n\n'),
    html: `<!doctype html><html lang="en"><body>${html.join('')}</body></html>`,
  }
}

/** Names come from users: a line break in one must not add a header or a paragraph. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
