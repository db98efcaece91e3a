import { escapeHtml } from '../html/escape-html.ts'
import type { Mail } from './mailer.ts'

type Words = { to: string; subject: string; paragraphs: readonly string[]; link: { label: string; url: string } }

/** A plain letter with one thing to do, readable in any mail program. */
export function composeMail({ to, subject, paragraphs: given, link }: Words): Mail {
  const url = escapeHtml(link.url)
  const paragraphs = given.map(oneLine)
  const html = [
    ...paragraphs.map((words) => `<p>${escapeHtml(words)}</p>`),
    `<p><a href="${url}">${escapeHtml(link.label)}</a></p>`,
    `<p>If the link does not open, copy this address: ${url}</p>`,
  ]
  return {
    to,
    subject: oneLine(subject),
    text: [...paragraphs, `${link.label}: ${link.url}`].join('\n\n'),
    html: `<!doctype html><html lang="en"><body>${html.join('')}</body></html>`,
  }
}

/** Names are people's own words: in a header they must not start another one, nor a paragraph of their own in the text. */
function oneLine(words: string): string {
  return words.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
