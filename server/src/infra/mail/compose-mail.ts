import { escapeHtml } from '../html/escape-html.ts'
import type { Mail } from './mailer.ts'

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
